import { ClawError, LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { startBus } from "./testing/bus-harness.ts";
import { createTokenStore } from "./access/tokens/index.ts";

const diskFull = (): never => {
  throw new ClawError("DISK_FULL", "cannot append: ENOSPC", { operation: "append", target: "token.used" });
};

test("a token that cannot be marked as used is answered with the reason, and the bus goes on", async () => {
  const tokens = { ...createTokenStore(Date.now), verify: diskFull };
  const reports: string[] = [];
  const { connect } = await startBus({ tokens, report: (text) => void reports.push(text) });
  const client = connect();
  const refusal = { ok: false, error: "storage:write-failed", code: "DISK_FULL" };
  expect(await client.hello({ role: "worker", bearer: "x" })).toMatchObject(refusal);
  expect(reports).toEqual([expect.stringContaining("hello failed")]);
  expect(await connect().ask({ cmd: "ping" })).toMatchObject({ ok: true });
});

test("an id that cannot be remembered as given out is answered with the reason", async () => {
  const ids = { nextPeer: diskFull, nextSubscription: diskFull };
  const { connect } = await startBus({ ids, report: () => undefined });
  expect(await connect().hello({ role: "worker" })).toMatchObject({ ok: false, code: "DISK_FULL" });
});

test.each([
  ['{"cmd":{"toString":1}}', "unknown cmd: object"],
  ['{"cmd":["a"]}', "unknown cmd: object"],
  ["{}", "unknown cmd: undefined"],
  [`{"cmd":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "nested too deep"],
  [`{"cmd":"ping","id":${'{"a":'.repeat(600)}1${"}".repeat(600)}}`, "nested too deep"],
])("a frame that names no command is answered", async (line, error) => {
  const { connect } = await startBus();
  const client = connect();
  client.raw.send(line);
  expect(client.frames()).toMatchObject([{ ok: false, error }]);
});

// A scan that starts again at each quote takes a minute for this line, and nobody else is served meanwhile.
test("a line of brackets and escaped quotes is answered as quickly as any other", async () => {
  const { connect } = await startBus();
  const client = connect();
  client.raw.send(`${"[".repeat(LIMITS.requestDepth + 1)}${'\\"'.repeat(400_000)}`);
  expect(client.frames()).toMatchObject([{ ok: false, error: "nested too deep" }]);
});

test("brackets in texts, and as much nesting as is allowed, are no reason to refuse", async () => {
  const { connect } = await startBus();
  const client = connect();
  const depth = LIMITS.requestDepth - 1;
  client.raw.send(`{"cmd":"ping","x":"${"[".repeat(100_000)}\\"["}`);
  client.raw.send(`{"cmd":"ping","x":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  expect(client.frames()).toMatchObject([{ ok: true }, { ok: true }]);
});

test("a client that cannot be answered keeps nobody else's events back", async () => {
  const reports: string[] = [];
  const { bus, connect } = await startBus({ report: (text) => void reports.push(text) });
  const send = (frame: string): void => {
    if (frame.includes("deliveredTo")) throw new Error("no way to send");
  };
  const broken = bus.accept({ send, congested: () => false, end: () => undefined });
  broken.line('{"cmd":"hello","protocol":"claws/2","role":"orchestrator"}');
  const [writer, reader] = [connect(), connect()];
  await writer.hello({ role: "orchestrator" });
  await reader.hello({ role: "observer" });
  await reader.ask({ cmd: "subscribe", topic: "note.*" });
  broken.line('{"cmd":"publish","topic":"note.broken"}');
  expect(await writer.ask({ cmd: "publish", topic: "note.whole" })).toMatchObject({ ok: true });
  expect(reader.pushes().map(({ topic }) => topic)).toEqual(["note.broken", "note.whole"]);
  expect(reports).toEqual([expect.stringContaining("no way to send")]);
});
