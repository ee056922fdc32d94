import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTokenStore } from "../../packages/claw/src/bus/index.ts";
import { nodeFileSystem } from "../../packages/claw/src/files/index.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon } from "./daemon-process.ts";
import { beginClaw, connectWire, startDaemon } from "./daemon-process.ts";
import { refused } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace, secretFile } from "./workspace.ts";

interface Served {
  readonly workspace: Workspace;
  readonly url: string;
  readonly authorization: string;
}

const bearerIn = ({ token_file }: Daemon): string => readFileSync(token_file ?? "", "utf8").trim();

async function serve(): Promise<Served> {
  const workspace = createWorkspace();
  const daemon = await startDaemon(workspace, "--http", "127.0.0.1:0");
  expect(statSync(daemon.token_file ?? "").mode & 0o777).toBe(0o600);
  return { workspace, url: daemon.http ?? "", authorization: `Bearer ${bearerIn(daemon)}` };
}

const post = ({ url }: Served, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body), headers });

interface SentEvent {
  readonly id: string;
  readonly payload: unknown;
}

/** Reads events of a stream until there are enough, then hangs up. */
async function readEvents({ url, authorization }: Served, lastEventId: string, count: number): Promise<SentEvent[]> {
  const hangUp = new AbortController();
  onTestFinished(() => hangUp.abort());
  const response = await fetch(`${url}/events?topic=note.*`, {
    headers: { authorization, "last-event-id": lastEventId },
    signal: hangUp.signal,
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const events: SentEvent[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(block) ?? [];
      if (id === undefined || data === undefined) continue;
      events.push({ id, payload: (JSON.parse(data) as { payload: unknown }).payload });
    }
    if (events.length >= count) break;
  }
  return events;
}

describe("the HTTP server", () => {
  test("lets nobody in without a token or with a wrong one, except to ask whether it lives", async () => {
    const served = await serve();
    const wrong = [{}, { authorization: "Bearer nonsense" }, { authorization: "Basic abc" }];
    const statuses = await Promise.all(
      wrong.flatMap((headers: Record<string, string>) => [
        post(served, "/publish", { topic: "note.x", payload: 1 }, headers),
        post(served, "/command", { cmd: "peers" }, headers),
        post(served, "/command", { cmd: "hello", protocol: "claws/2", role: "orchestrator" }, headers),
        fetch(`${served.url}/events?topic=**&cursor=0000:0`, { headers }),
      ]),
    );
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 401));
    const health = await fetch(`${served.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { ok: true }]);
    const { events } = await clawJson(served.workspace, ["events", "--topic", "note.*"]);
    expect(events).toEqual([]);
  });

  test("takes what is posted and brings it as a stream that goes on after the last event seen", async () => {
    const served = await serve();
    const headers = { authorization: served.authorization };
    const cursors: unknown[] = [];
    for (const n of [1, 2, 3]) {
      const response = await post(served, "/publish", { topic: "note.x", payload: { n } }, headers);
      const body = (await response.json()) as Record<string, unknown>;
      expect([response.status, body["ok"]]).toEqual([200, true]);
      cursors.push(body["cursor"]);
    }
    const all = await readEvents(served, "0000:0", 3);
    expect(all).toEqual(cursors.map((id, index) => ({ id, payload: { n: index + 1 } })));
    expect(await readEvents(served, String(cursors[0]), 2)).toEqual(all.slice(1));
  });

  test("serves events that came in by the socket, in the same order and under the same cursors", async () => {
    const served = await serve();
    const receipts = [];
    for (const n of [1, 2]) receipts.push(await clawJson(served.workspace, ["publish", "note.x", String(n)]));
    expect((await readEvents(served, "0000:0", 2)).map(({ id }) => id)).toEqual(receipts.map(({ cursor }) => cursor));
  });

  test("answers no page of another site", async () => {
    const served = await serve();
    const headers = { authorization: served.authorization, origin: "https://example.com" };
    expect((await post(served, "/publish", { topic: "note.x", payload: 1 }, headers)).status).toBe(403);
  });
});

describe("--require-token", () => {
  test("asks on the unix socket too, and the calls of the folder's user show theirs", async () => {
    const workspace = createWorkspace();
    const daemon = await startDaemon(workspace, "--require-token");
    const hello = { cmd: "hello", protocol: "claws/2", role: "orchestrator", peerName: "x" };
    const stranger = await connectWire(daemon.socket);
    expect(await stranger.ask(hello)).toMatchObject({ ok: false, error: "auth:required" });
    const guesser = await connectWire(daemon.socket);
    expect(await guesser.ask({ ...hello, bearer: "nonsense" })).toMatchObject({ ok: false, error: "auth:invalid" });
    const user = await connectWire(daemon.socket);
    expect(await user.ask({ ...hello, bearer: bearerIn(daemon) })).toMatchObject({ ok: true });
    expect(await clawJson(workspace, ["publish", "note.x", "1"])).toMatchObject({ effect: "created" });
    expect(await clawJson(workspace, ["events", "--topic", "note.*"])).toMatchObject({ events_count: 1 });
  });

  test("lets a call that goes on for long show another token when the first has expired", async () => {
    const workspace = createWorkspace();
    const { token_file, socket } = await startDaemon(workspace, "--require-token");
    const path = token_file ?? "";
    const long = readFileSync(path, "utf8").trim();
    const watcher = await connectWire(socket);
    await watcher.hello("observer", { bearer: long });
    await watcher.ask({ cmd: "subscribe", topic: "system.peer.joined" });
    const tokens = openTokenStore(nodeFileSystem, secretFile(workspace, "."), Date.now);
    writeFileSync(path, tokens.mint({ role: "orchestrator", lifetimeMs: 4000 }));
    const follower = beginClaw(workspace, [
      "events",
      "--follow",
      "--topic",
      "note.*",
      "--output-format",
      "stream-json",
    ]);
    await until("it to come", () => watcher.messages().length === 1);
    writeFileSync(path, long);
    await until("it to come again", () => watcher.messages().length === 2);
    await clawJson(workspace, ["publish", "note.x", '{"n":1}']);
    expect(await follower.line("the event", (line) => line.includes('"note.x"'))).toContain('"n":1');
  });

  test("keeps calls out whose token file is gone or holds something else", async () => {
    const workspace = createWorkspace();
    const { token_file } = await startDaemon(workspace, "--require-token");
    writeFileSync(token_file ?? "", "nonsense\n");
    expect(await refused(workspace, ["peers"])).toMatchObject({ code: "TOKEN_INVALID" });
    rmSync(token_file ?? "");
    expect(await refused(workspace, ["peers"])).toMatchObject({ code: "TOKEN_MISSING" });
    expect(await clawJson(workspace, ["down"])).toMatchObject({ stopped: true });
  });
});
