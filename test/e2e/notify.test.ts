import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { connectWire, killHard, startDaemon } from "./daemon-process.ts";
import { refused } from "./provocations.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** Any variable that the daemon's environment has. */
const SECRET_ENV = "HOME";

type Notice = Readonly<Record<string, unknown>>;

/** A webhook that is down until it is opened. */
async function startHook() {
  const taken: Notice[] = [];
  let isOpen = false;
  let refusals = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (isOpen) taken.push(JSON.parse(Buffer.concat(chunks).toString()) as Notice);
      else refusals += 1;
      response.writeHead(isOpen ? 204 : 503).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, taken, refusals: () => refusals, open: () => (isOpen = true) };
}

function setNotify({ home }: Workspace, notify: object): void {
  mkdirSync(join(home, ".claw"), { recursive: true });
  writeFileSync(join(home, ".claw", "settings.json"), JSON.stringify({ notify }));
}

/** A worker of its own that asks something. */
async function ask(socket: string): Promise<void> {
  const worker = await connectWire(socket);
  const id = await worker.hello("worker", { peerName: "painter" });
  const question = { kind: "REQUEST", severity: "info", message: "Which colour?", request_id: "r1" };
  await worker.publish(`worker.${id}.event`, question);
}

test("a notice survives a daemon that is killed, and comes once the webhook is there", async () => {
  const workspace = createWorkspace();
  const hook = await startHook();
  setNotify(workspace, { webhook: { url: hook.url, secretEnv: SECRET_ENV } });
  const { pid, socket } = await startDaemon(workspace);
  await ask(socket);
  await until("a refused notice", () => hook.refusals() > 0);
  await killHard(pid);
  hook.open();
  await startDaemon(workspace);
  await until("the notice", () => hook.taken.length > 0);
  const [notice] = hook.taken;
  expect(notice).toEqual({
    v: 1,
    id: expect.stringMatching(/^0001:\d+$/),
    kind: "needs_you",
    peer_id: expect.stringMatching(/^p_/),
    ts: expect.any(String),
    attempt: 1,
  });
  expect(new Set(hook.taken.map(({ id, kind }) => `${String(kind)} ${String(id)}`)).size).toBe(hook.taken.length);
});

test("claw notify test proves both channels, and a command that hangs holds up nothing", async () => {
  const workspace = createWorkspace();
  const hook = await startHook();
  hook.open();
  const webhook = { url: hook.url, secretEnv: SECRET_ENV };
  setNotify(workspace, { command: ["sh", "-c", "cat > notice.json"], webhook });
  const { socket } = await startDaemon(workspace);
  const { stdout } = await runClaw(workspace, ["notify", "test"]);
  expect(stdout).toMatch(/^CHANNEL {2}NOTICE[^]*command {2}delivered[^]*webhook {2}delivered[^]*HTTP 204/);
  const written = JSON.parse(readFileSync(join(workspace.cwd, "notice.json"), "utf8")) as Notice;
  expect([written["kind"], written["id"]]).toEqual(["test", hook.taken[0]?.["id"]]);
  setNotify(workspace, { command: ["sleep", "600"] });
  await ask(socket);
  expect(await clawJson(workspace, ["ps"])).toMatchObject({ workers_count: 1 });
});

test("a folder that nobody trusts cannot run programs by its settings", async () => {
  const workspace = createWorkspace();
  mkdirSync(join(workspace.cwd, ".claw"), { recursive: true });
  const settings = { notify: { command: ["sh", "-c", "touch ran"] } };
  writeFileSync(join(workspace.cwd, ".claw", "settings.json"), JSON.stringify(settings));
  await startDaemon(workspace);
  expect(await refused(workspace, ["notify", "test"])).toMatchObject({ code: "NOTIFY_NOT_SET" });
});
