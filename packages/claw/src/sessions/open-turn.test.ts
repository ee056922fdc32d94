import { existsSync, readFileSync } from "node:fs";
import type { SessionMessage, SessionRecord } from "claw-contract";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { jsonLines } from "../process/testing/json-lines.ts";
import type { Compaction } from "./conversation.ts";
import { nodeFileSystem } from "../files/index.ts";
import { createSessionStore } from "./session-store.ts";

let cwd = "";
beforeEach(() => void (cwd = temporaryFolder(onTestFinished)));

const signal = new AbortController().signal;
const open = (lockWaitMs = 0) => createSessionStore(nodeFileSystem, { cwd, lockWaitMs });
const user = (text: string): SessionMessage => ({ role: "user", blocks: [{ type: "text", text }] });
const assistant = (text: string): SessionMessage => ({
  role: "assistant",
  blocks: [{ type: "text", text }],
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 2,
  },
});

function recordsOf(path: string): SessionRecord[] {
  return jsonLines<SessionRecord>(readFileSync(path, "utf8"));
}

test("records of a turn are in the file at once and count after the commit", async () => {
  const store = open();
  const turn = await store.openTurn(undefined, { model: "m" }, signal);
  turn.append(user("hello"));
  turn.append(assistant("hi"));
  expect(recordsOf(turn.path).map(({ type }) => type)).toEqual(["session_meta", "message", "message"]);
  expect((await store.converse(store.find(turn.sessionId), signal)).messages).toEqual([]);
  const totals = turn.commit();
  turn.close();
  expect(totals).toEqual({
    messages: 2,
    prompts: 1,
    turns: 1,
    input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 2,
    latest_total: 20,
    estimated_tokens: expect.any(Number) as number,
  });
  expect((await store.converse(store.find(turn.sessionId), signal)).messages).toEqual([user("hello"), assistant("hi")]);
});

test("a turn that was closed without a commit leaves the conversation as it was", async () => {
  const store = open();
  const first = await store.openTurn("s1", {}, signal);
  first.append(user("one"));
  first.commit();
  first.close();
  const second = await store.openTurn("s1", {}, signal);
  second.append(user("two"));
  second.append(assistant("half an answer"));
  second.close();
  second.close();
  const third = await store.openTurn("s1", {}, signal);
  third.close();
  expect(third.conversation.messages).toEqual([user("one")]);
});

test("a new session that got no answer is removed, one that did is kept", async () => {
  const store = open();
  const asked = await store.openTurn(undefined, {}, signal);
  asked.append(user("hello"));
  expect(asked.isKept()).toBe(false);
  asked.close();
  const answered = await store.openTurn(undefined, {}, signal);
  answered.append(user("hello"));
  answered.append(assistant("hi"));
  expect(answered.isKept()).toBe(true);
  answered.close();
  expect([existsSync(asked.path), existsSync(answered.path)]).toEqual([false, true]);
});

test("nobody else can write to the session while a turn is open", async () => {
  const turn = await open().openTurn("s1", {}, signal);
  await expect(open().openTurn("s1", {}, signal)).rejects.toMatchObject({ code: "SESSION_LOCKED" });
  turn.close();
  (await open().openTurn("s1", {}, signal)).close();
});

const COUNTED: Compaction = {
  removed: 3,
  summary: "they counted to three",
  kind: "model",
  fallbackReason: null,
  asked: { model: "m", usage: { input_tokens: 30, output_tokens: 4, cache_read_input_tokens: 2 } },
};

test("a compaction says who wrote its summary, and what that used counts", async () => {
  const turn = await open().openTurn("s1", {}, signal);
  turn.append(user("one"));
  turn.compact(COUNTED);
  turn.compact({ ...COUNTED, kind: "mechanical", fallbackReason: "the budget leaves no room", asked: null });
  expect(turn.commit()).toMatchObject({ input_tokens: 30, output_tokens: 4, cache_read_input_tokens: 2 });
  turn.close();
  const { asked, summary } = COUNTED;
  expect(recordsOf(turn.path).filter(({ type }) => type === "compaction")).toMatchObject([
    { count: 1, removed_message_count: 3, summary, summary_kind: "model", ...asked },
    { count: 2, summary_kind: "mechanical", fallback_reason: "the budget leaves no room" },
  ]);
});

test("a compaction replaces the oldest messages by its summary once its turn is committed", async () => {
  const store = open();
  const first = await store.openTurn("s1", {}, signal);
  for (const text of ["one", "two", "three"]) first.append(user(text));
  first.commit();
  first.close();
  const second = await store.openTurn("s1", {}, signal);
  second.append(user("four"));
  second.compact(COUNTED);
  expect((await store.converse(store.find("s1"), signal)).messages).toHaveLength(3);
  second.commit();
  second.close();
  expect(await store.converse(store.find("s1"), signal)).toEqual({
    summary: "they counted to three",
    messages: [user("four")],
    answers: 0,
    compactions: 1,
  });
});

test("a fork starts with what its parent knows and leaves the parent alone", async () => {
  const store = open();
  const parent = await store.openTurn("parent", {}, signal);
  parent.append(user("one"));
  parent.append(assistant("two"));
  parent.commit();
  parent.close();
  const before = readFileSync(parent.path, "utf8");
  const fork = await store.openTurn(undefined, { fork: store.find("parent") }, signal);
  fork.append(user("three"));
  fork.commit();
  fork.close();
  expect(readFileSync(parent.path, "utf8")).toBe(before);
  expect(recordsOf(fork.path)[0]).toMatchObject({ fork: { parent_session_id: "parent" } });
  expect((await store.converse(store.find(fork.sessionId), signal)).messages).toEqual([
    user("one"),
    assistant("two"),
    user("three"),
  ]);
  expect(store.glimpse(store.find(fork.sessionId)).totals).toMatchObject({ messages: 3, input_tokens: 10 });
});
