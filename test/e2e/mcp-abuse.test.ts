import { spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { startDaemon } from "./daemon-process.ts";
import type { McpScene } from "./mcp-scene.ts";
import { connectMcp, ERAS } from "./mcp-scene.ts";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

interface RawServer {
  write(text: string): void;
  /** Whether the client reads what the server writes. */
  hear(isHearing: boolean): void;
  /** The answer with an id. */
  answer(id: unknown): Promise<Frame>;
  readonly frames: Frame[];
  end(): void;
  readonly ended: Promise<number | null>;
}

/** The server with its bare streams. */
function startRaw(workspace: Workspace, flags: readonly string[] = []): RawServer {
  const { cwd } = workspace;
  const child = spawn(process.execPath, [BINARY, "mcp", "serve", ...flags], { cwd, env: cleanEnvironment(workspace) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const frames: Frame[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    frames.push(...lines.map((line) => JSON.parse(line) as Frame));
  });
  return {
    frames,
    write: (text) => void child.stdin.write(text),
    hear: (isHearing) => void (isHearing ? child.stdout.resume() : child.stdout.pause()),
    answer: (id) =>
      until(`an answer to ${String(id)}`, () => frames.find((frame) => "id" in frame && frame["id"] === id)),
    end: () => void child.stdin.end(),
    ended: new Promise((resolve) => void child.on("close", (code) => resolve(code))),
  };
}

const message = (fields: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...fields })}\n`;

const INITIALIZE = message({
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

const LIST = (id: unknown): string => message({ id, method: "tools/list" });

describe("a client that sends what is no message", () => {
  test("gets the error that JSON-RPC has for it, and the connection goes on", async () => {
    const server = startRaw(createWorkspace());
    server.write("{ not json\n\n\r\n[]\n42\n" + message({ id: 5 }) + '{"id":6,"method":"tools/list"}\n');
    server.write(INITIALIZE);
    await server.answer("init");
    expect(
      server.frames
        .filter((frame) => "error" in frame)
        .map((frame) => [frame["id"], (frame["error"] as Frame)["code"]]),
    ).toEqual([
      [null, -32_700],
      [null, -32_600],
      [null, -32_600],
      [5, -32_600],
      [6, -32_600],
    ]);
    server.write(LIST(7));
    expect(await server.answer(7)).toHaveProperty("result");
    server.end();
    expect(await server.ended).toBe(0);
  });

  test("is told that a method or a tool is unknown, at once", async () => {
    const server = startRaw(createWorkspace());
    server.write(INITIALIZE);
    server.write(message({ id: 1, method: "no/such", params: {} }));
    server.write(message({ id: 2, method: "tools/call", params: { name: "none" } }));
    server.write(message({ id: 3, method: "tools/call", params: { name: 3 } }));
    server.write(message({ id: 4, method: "tools/call", params: { name: "claws_run", arguments: [] } }));
    expect(await server.answer(1)).toMatchObject({ error: { code: -32_601 } });
    expect(await server.answer(2)).toMatchObject({ error: { code: -32_602 } });
    expect(await server.answer(3)).toHaveProperty("error");
    expect(await server.answer(4)).toHaveProperty("error");
  });

  test("may send a message in pieces, and one that is too long is skipped", async () => {
    const server = startRaw(createWorkspace());
    for (const character of INITIALIZE) server.write(character);
    await server.answer("init");
    const half = "x".repeat(1024 * 1024);
    server.write('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"');
    for (let megabytes = 0; megabytes < 17; megabytes += 1) server.write(half);
    server.write('"}}\n');
    server.write(LIST(2));
    expect(await server.answer(2)).toHaveProperty("result");
    expect(server.frames.find((frame) => frame["id"] === null)).toMatchObject({ error: { code: -32_600 } });
  });

  test("gets no answer that breaks a line, whatever it names", async () => {
    const server = startRaw(createWorkspace());
    server.write(INITIALIZE);
    const name = "a\nb\u2028c\u001b[31m";
    server.write(message({ id: 1, method: "tools/call", params: { name } }));
    expect(await server.answer(1)).toMatchObject({ error: { code: -32_602 } });
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    server.write(
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"claws_publish","arguments":{"topic":"a","payload":${deep}}}}\n`,
    );
    server.write(LIST(3));
    expect(await server.answer(3)).toHaveProperty("result");
  });

  test("gets each answer whole when many large ones are written at once, and it reads late", async () => {
    const server = startRaw(createWorkspace(), ["--tools", "all"]);
    server.write(INITIALIZE);
    await server.answer("init");
    server.hear(false);
    const ids = Array.from({ length: 12 }, (_, at) => at);
    for (const id of ids) server.write(LIST(id));
    server.write(message({ id: "last", method: "ping" }));
    server.hear(true);
    const lists = await Promise.all(ids.map((id) => server.answer(id)));
    expect(new Set(lists.map((list) => JSON.stringify(list["result"]))).size).toBe(1);
    await server.answer("last");
  });

  test("may leave in the middle of a call", async () => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    const server = startRaw(workspace);
    server.write(INITIALIZE);
    await server.answer("init");
    const waiting = { name: "claws_events", arguments: { topics: ["note.*"], wait_seconds: 45 } };
    server.write(message({ id: 1, method: "tools/call", params: waiting }));
    server.write(message({ id: 2, method: "tools/call", params: { name: "claws_workers" } }));
    await server.answer(2);
    server.end();
    expect(await server.ended).toBe(0);
    expect(server.frames.some((frame) => frame["id"] === 1)).toBe(false);
  });
});

describe("inputs that no tool takes", () => {
  test.each(ERAS)("are results of %s with the catalogue's code and a hint", async (version) => {
    const workspace = createWorkspace();
    await startDaemon(workspace);
    const scene = await connectMcp(workspace, { version });
    const huge = "x".repeat(2_000_000);
    for (const [name, input, code] of [
      ["claws_run", {}, "MISSING_PROMPT"],
      ["claws_run", { mission: "" }, "INVALID_FLAG_VALUE"],
      ["claws_run", { workers: [] }, "INVALID_FLAG_VALUE"],
      ["claws_run", { mission: "x", wait_seconds: 1e9 }, "INVALID_FLAG_VALUE"],
      ["claws_run", { mission: huge, harness: "fake" }, "REQUEST_TOO_LARGE"],
      ["claws_run", { mission: "x\0y", harness: "fake" }, "INVALID_FLAG_VALUE"],
      ["claws_run", { mission: "x", harness: "fake", model: "a b" }, "INVALID_MODEL"],
      ["claws_show", { worker: "../../etc" }, "WORKER_NOT_FOUND"],
      ["claws_log", { worker: "../../etc/passwd" }, "TERMINAL_NOT_FOUND"],
      ["claws_log", { worker: "a", offset: -1 }, "INVALID_FLAG_VALUE"],
      ["claws_events", { since: "not a cursor" }, "INVALID_CURSOR"],
      ["claws_events", { since: "0001:999999" }, "INVALID_CURSOR"],
      ["claws_publish", { topic: "a b" }, null],
      ["claws_publish", { topic: "note.big", payload: huge }, "REQUEST_TOO_LARGE"],
      ["claws_budget", { usd: 1 }, "INVALID_FLAG_VALUE"],
      ["claws_workers", { cursor: "none" }, "INVALID_CURSOR"],
      ["claws_run", { mision: "x", harness: "fake" }, "UNKNOWN_OPTION"],
      ["claws_run", { workers: [{ mission: "x", harnes: "fake" }] }, "UNKNOWN_OPTION"],
      ["claws_workers", { constructor: 1 }, "UNKNOWN_OPTION"],
      ["claws_show", { worker: "x".repeat(100_000) }, "WORKER_NOT_FOUND"],
    ] as const) {
      const { error } = await scene.call(name, input);
      expect([name, code ?? error?.code, typeof error?.hint]).toEqual([name, error?.code, "string"]);
    }
    expect(await scene.call("claws_workers")).toMatchObject({ total: 0 });
  });
});

interface Note {
  readonly from: string;
  readonly payload: { readonly data: { readonly client: number; readonly n: number } };
}

/** All events on `note.*`, part by part. */
async function readNotes(scene: McpScene | undefined): Promise<Note[]> {
  const notes: Note[] = [];
  let [since, more]: [unknown, unknown] = ["0000:0", true];
  while (more === true) {
    const part = await scene?.call("claws_events", { topics: ["note.*"], since, limit: 1000 });
    notes.push(...(part?.["events"] as Note[]));
    since = part?.["cursor"];
    more = part?.["more"];
  }
  return notes;
}

test("twenty clients at once, each a peer of its own, lose and mix nothing", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  const clients = await Promise.all(
    Array.from({ length: 20 }, (_, at) => connectMcp(workspace, { version: ERAS[at % 3] ?? ERAS[0] })),
  );
  const receipts = await Promise.all(
    clients.flatMap(({ call }, client) =>
      Array.from({ length: 10 }, (_, n) => call("claws_publish", { topic: `note.c${client}`, payload: { client, n } })),
    ),
  );
  const sequences = receipts.map(({ sequence }) => Number(sequence));
  expect(new Set(sequences).size).toBe(200);
  const events = await readNotes(clients[0]);
  expect(events).toHaveLength(200);
  const authors = new Map(events.map(({ from, payload }) => [payload.data.client, from]));
  expect(new Set(authors.values()).size).toBe(20);
  for (const { from, payload } of events) expect(authors.get(payload.data.client)).toBe(from);
  const order = events.filter(({ payload }) => payload.data.client === 7).map(({ payload }) => payload.data.n);
  expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
