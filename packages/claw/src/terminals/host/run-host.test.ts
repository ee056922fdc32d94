import { createHash } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findHost } from "../storage/host-record.ts";
import { loadPty } from "../pty/load-pty.ts";
import { runHost } from "./run-host.ts";
import { open, startTestHost } from "../testing/start-test-host.ts";
import { openStoredTerminal } from "../storage/stored-terminal.ts";

const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Prints so many bytes, which are the same every time, and ends. */
const printer = (seed: number, bytes: number): string[] => [
  process.execPath,
  "-e",
  `const b = Buffer.alloc(${bytes}); let x = ${seed};
   for (let i = 0; i < b.length; i++) { x = (x * 1103515245 + 12345) & 0x7fffffff; b[i] = 33 + (x >> 16) % 90; }
   require("fs").writeSync(1, "");
   let at = 0; const go = () => { while (at < b.length) { try { at += require("fs").writeSync(1, b, at); } catch (e) { if (e.code !== "EAGAIN") throw e; return setTimeout(go, 1); } } }; go();`,
];

function printed(seed: number, bytes: number): Buffer {
  const all = Buffer.alloc(bytes);
  let x = seed;
  for (let at = 0; at < bytes; at += 1) {
    x = (x * 1103515245 + 12345) & 0x7fffffff;
    all[at] = 33 + ((x >> 16) % 90);
  }
  return all;
}

function stored(folder: string, id: string): Buffer {
  const terminal = openStoredTerminal(folder, id);
  if (terminal === undefined) throw new Error(`nothing is stored of ${id}`);
  const parts: Buffer[] = [];
  for (let at = 0; at < terminal.total();) {
    const { bytes, offset } = terminal.read({ offset: at, limit: 100_000 });
    expect(offset).toBe(at);
    parts.push(bytes);
    at += bytes.length;
  }
  return Buffer.concat(parts);
}

describe("output of terminals", () => {
  test("is kept and sent to everybody to the last byte", async () => {
    const host = await startTestHost();
    const [one, other] = [await host.connect(), await host.connect()];
    const ids = ["1", "2", "3"];
    const bytes = 2_000_000;
    for (const id of ids) await open(one, id, { argv: printer(Number(id), bytes) });
    for (const client of [one, other]) for (const id of ids) await client.ask("attach", { terminalId: id, from: 0 });
    for (const client of [one, other]) {
      await until("all to end", () => client.pushes.filter(({ push }) => push === "ended").length === ids.length);
    }
    for (const id of ids) {
      const hash = sha(printed(Number(id), bytes));
      expect([sha(one.output(id)), sha(other.output(id)), sha(stored(host.folder, id))]).toEqual([hash, hash, hash]);
    }
  });

  test("that comes right before the end is not lost", async () => {
    const host = await startTestHost();
    const client = await host.connect();
    await client.ask("follow", {});
    const ids = Array.from({ length: 25 }, (_, index) => String(index + 1));
    for (const id of ids) {
      await open(client, id, {
        argv: ["/bin/sh", "-c", `head -c 60000 /dev/zero | tr '\\0' ${Number(id) % 10}; exit 3`],
      });
    }
    await until("all to close", () => client.facts.filter(({ kind }) => kind === "closed").length === ids.length);
    for (const id of ids) {
      expect(stored(host.folder, id).equals(Buffer.alloc(60_000, String(Number(id) % 10)))).toBe(true);
      expect(openStoredTerminal(host.folder, id)?.about.end).toMatchObject({ exitCode: 3, signal: null });
    }
  });
});

describe("a terminal host", () => {
  test("can be found while it runs, by its user alone, and a second one is refused", async () => {
    const host = await startTestHost();
    await host.connect();
    expect(findHost(host.folder)).toMatchObject({ pid: process.pid, socket: host.socket });
    expect(statSync(host.socket).mode & 0o777).toBe(0o600);
    expect(existsSync(join(host.folder, ".gitignore"))).toBe(true);
    const stop = new AbortController().signal;
    const second = runHost({ folder: host.folder, socket: host.socket, pty: loadPty(), report: () => undefined }, stop);
    await expect(second).rejects.toMatchObject({
      code: "TERMINAL_HOST_FAILED",
      message: `process ${process.pid} is the terminal host of this folder`,
      target: host.folder,
    });
  });

  test("that is told to stop ends its terminals and connections, and leaves nothing to be found", async () => {
    const host = await startTestHost();
    const client = await host.connect();
    await open(client, "1", { argv: ["/bin/cat"] });
    await host.stop();
    await expect(client.ask("list", {})).rejects.toMatchObject({ code: "TERMINAL_HOST_FAILED" });
    expect(openStoredTerminal(host.folder, "1")?.about.end).toMatchObject({ origin: "error" });
    expect([findHost(host.folder), existsSync(host.socket)]).toEqual([undefined, false]);
  });

  test("that is told to stop before it begins ends at once", async () => {
    const folder = join(temporaryFolder(onTestFinished), ".claws");
    const options = { folder, socket: join(folder, "t.sock"), pty: loadPty(), report: () => undefined };
    await runHost(options, AbortSignal.abort());
    expect([findHost(folder), existsSync(options.socket)]).toEqual([undefined, false]);
  });

  test("ends by itself when nobody needs it, or nobody can find it: then its place is another's", async () => {
    const [idle, needed, lost] = [
      await startTestHost({ idleMs: 1 }),
      await startTestHost({ idleMs: 1 }),
      await startTestHost(),
    ];
    await needed.connect();
    await lost.connect();
    rmSync(join(lost.folder, "terminals.json"));
    await Promise.all([idle.ended, lost.ended]);
    expect([existsSync(idle.socket), existsSync(lost.socket)]).toEqual([false, true]);
    expect(findHost(needed.folder)).toMatchObject({ pid: process.pid });
  });
});
