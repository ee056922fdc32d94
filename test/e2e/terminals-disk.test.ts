import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStoredTerminal } from "../../packages/claw/src/terminals/index.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { SmallDisk } from "../reliability/small-disk.ts";
import { mountSmallDisk } from "../reliability/small-disk.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { clawsFile, connectWire, isAlive, startDaemon } from "./daemon-process.ts";
import { askTerminal, endHostAfterTest, hostOf } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface Scene {
  readonly disk: SmallDisk;
  readonly workspace: Workspace;
  readonly client: WireClient;
}

/** A daemon on a small disk of its own; a text where there can be none. */
async function openScene(): Promise<Scene | string> {
  const { cwd, home } = createWorkspace();
  const disk = mountSmallDisk(join(cwd, "disk"));
  if (typeof disk === "string") return disk;
  const workspace = { cwd: disk.folder, home };
  const daemon = await startDaemon(workspace);
  endHostAfterTest(workspace);
  return { disk, workspace, client: await connectWire(daemon.socket) };
}

/** Prints so many bytes when it is told to, and what it is told after that. */
const printer = (bytes: number, then: string): string[] => [
  "/bin/sh",
  "-c",
  `stty -echo; echo ready; read go; head -c ${bytes} /dev/zero | tr '\\0' x; ${then}`,
];

async function open({ client }: Scene, argv: string[]): Promise<string> {
  const { id, ok } = await client.ask({ cmd: "create", argv });
  expect(ok).toBe(true);
  await untilPrinted(client, String(id), "ready\r\n".length);
  return String(id);
}

async function untilPrinted(client: WireClient, id: string, total: number): Promise<void> {
  for (const deadline = Date.now() + 110_000; ;) {
    const { totalSize } = await askTerminal(client, id, { cmd: "readLog", limit: 1 });
    if (Number(totalSize) >= total) return;
    if (Date.now() > deadline) throw new Error(`terminal ${id} printed ${String(totalSize)} of ${total}`);
  }
}

function storedHash({ workspace }: Scene, id: string): string {
  const hash = createHash("sha256");
  const terminal = openStoredTerminal(clawsFile(workspace, ""), id);
  const total = terminal?.total() ?? 0;
  for (let at = 0; at < total;) {
    const { bytes = Buffer.alloc(total) } = terminal?.read({ offset: at, limit: 100_000 }) ?? {};
    hash.update(bytes);
    at += bytes.length;
  }
  return hash.digest("hex");
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

test("output on a full disk is kept until there is space, also of a program that ended meanwhile", async ({ skip }) => {
  const scene = await openScene();
  if (typeof scene === "string") return skip(scene);
  const { client, disk, workspace } = scene;
  const bytes = 300_000;
  const [goesOn, ends] = [await open(scene, printer(bytes, "cat")), await open(scene, printer(bytes, "exit 3"))];
  disk.fill();
  for (const id of [goesOn, ends]) await askTerminal(client, id, { cmd: "send", text: "go" });
  const whole = `ready\r\n${"x".repeat(bytes)}`;
  await untilPrinted(client, goesOn, whole.length);
  const page = await askTerminal(client, goesOn, { cmd: "readLog", offset: 0, limit: 100 });
  expect(page).toMatchObject({ bytes: whole.slice(0, 100), truncated: true });
  const listed = async (): Promise<unknown[]> =>
    ((await client.ask({ cmd: "list" }))["terminals"] as Frame[]).map(({ id }) => id);
  await until("the other to end", async () => (await listed()).length === 1);
  expect(await client.ask({ cmd: "create", shellPath: "/bin/bash" })).toMatchObject({ ok: false, code: "DISK_FULL" });
  disk.free();
  for (const id of [goesOn, ends]) {
    await until(`all of ${id} on the disk`, () => storedHash(scene, id) === hashOf(whole));
  }
  const about = (id: string) => openStoredTerminal(clawsFile(workspace, ""), id)?.about;
  await until("its end on the disk", () => about(ends)?.end !== null);
  expect(about(ends)?.end).toMatchObject({ exitCode: 3, signal: null });
  expect(about(goesOn)?.end).toBeNull();
  expect(isAlive(Number(hostOf(workspace)))).toBe(true);
  expect(await client.ask({ cmd: "create", argv: ["cat"] })).toMatchObject({ ok: true });
  return undefined;
});

test("a program that a full disk holds up waits, others do not, and it can be closed", async ({ skip }) => {
  const scene = await openScene();
  if (typeof scene === "string") return skip(scene);
  const { client, disk, workspace } = scene;
  const loud = await open(scene, printer(40_000_000, "exit 0"));
  const quiet = await open(scene, ["/bin/sh", "-c", "stty -echo; echo ready; exec cat"]);
  disk.fill();
  await askTerminal(client, loud, { cmd: "send", text: "go" });
  await untilPrinted(client, loud, 4_000_000);
  await askTerminal(client, quiet, { cmd: "send", text: "still here" });
  await untilPrinted(client, quiet, "ready\r\nstill here\r\n".length);
  expect(Number((await askTerminal(client, loud, { cmd: "readLog", limit: 1 }))["totalSize"])).toBeLessThan(6_000_000);
  expect(await askTerminal(client, loud, { cmd: "close" })).toMatchObject({ ok: true, alreadyClosed: false });
  expect(((await client.ask({ cmd: "list" }))["terminals"] as Frame[]).map(({ id }) => id)).toEqual([quiet]);
  expect(isAlive(Number(hostOf(workspace)))).toBe(true);
  return undefined;
});
