import { connectWorker, webSocketChannel } from "claw-client";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startDaemon } from "./daemon-process.ts";
import { readTree } from "./read-tree.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

function join(url: string, bearer: string, name = "ci") {
  const channel = webSocketChannel(url.replace(/^http/, "ws"), { WebSocket });
  const worker = connectWorker({ channel, name, bearer, attempts: 3 });
  onTestFinished(() => worker.close());
  return worker;
}

async function serve(): Promise<{ workspace: Workspace; url: string; token: string }> {
  const workspace = createWorkspace();
  const { http } = await startDaemon(workspace, "--http", "127.0.0.1:0");
  const made = await runClaw(workspace, ["tokens", "create", "--role", "worker", "--peer", "ci", "--expires", "1h"]);
  expect(made.stdout).toMatch(/^claw1\.[\w-]+\.[\w-]+\n$/);
  expect(made.stderr).toMatch(/^Token [0-9a-f-]{36} for ci, as worker, until .*Z\. It is shown this once:\n$/);
  return { workspace, url: http ?? "", token: made.stdout.trim() };
}

test("a worker joins over the network with a token that claw made, until that is revoked", async () => {
  const { workspace, url, token } = await serve();
  const worker = join(url, token);
  const { peerId } = await worker.ready();
  expect((await clawJson(workspace, ["peers"]))["peers"]).toMatchObject([
    { peer_id: peerId, role: "worker", name: "ci" },
  ]);
  await expect(join(url, token, "other").ready()).rejects.toMatchObject({ code: "TOKEN_INVALID" });

  expect(await clawJson(workspace, ["tokens", "revoke", "ci"])).toMatchObject({ revoked_count: 1, effect: "deleted" });
  await until("the worker is hung up on", () => worker.status() === "closed");
  expect((await clawJson(workspace, ["peers"]))["peers"]).toEqual([]);
  await expect(join(url, token).ready()).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  expect(await clawJson(workspace, ["tokens"])).toMatchObject({ command: "tokens", action: "list", tokens: [] });
});

test("a token is kept nowhere, not even where a repeated call is remembered, and no other answer shows it", async () => {
  const { workspace, token } = await serve();
  const keyed = ["tokens", "create", "--role", "observer", "--idempotency-key", "k1"];
  const other = String((await clawJson(workspace, keyed))["token"]);
  expect(await clawJson(workspace, keyed)).toMatchObject({ token: null, effect: "noop" });
  await clawJson(workspace, ["publish", "note.x", JSON.stringify({ note: `it is ${token}` })]);
  const answers = await Promise.all([["tokens"], ["events"], ["peers"]].map((argv) => runClaw(workspace, argv)));
  const shown = answers.map(({ stdout, stderr }) => stdout + stderr).join("");
  expect([token, other].filter((secret) => shown.includes(secret))).toEqual([]);
  const files = Object.entries({ ...readTree(workspace.home), ...readTree(workspace.cwd) });
  const textOf = (entry: string): string => Buffer.from(entry.split(" ")[2] ?? "", "base64").toString();
  expect(files.filter(([, entry]) => textOf(entry).includes(other)).map(([path]) => path)).toEqual([]);
  expect(files.length).toBeGreaterThan(5);
});
