import type { SessionMessage, SessionRecord } from "claw-contract";
import { expect, test } from "vitest";
import { addMessage, addTurn, createTally, EMPTY_TOTALS } from "./session-totals.ts";

const user: SessionMessage = { role: "user", blocks: [{ type: "text", text: "12345678" }] };
const assistant: SessionMessage = {
  role: "assistant",
  blocks: [{ type: "tool_use", id: "1", name: "ls", input: "{}" }],
  usage: { input_tokens: 10, output_tokens: 3 },
};

const record = (message: SessionMessage, turn_id?: string): SessionRecord => ({
  type: "message",
  message,
  ...(turn_id === undefined ? {} : { turn_id }),
});

const commit = (turn_id: string, totals = EMPTY_TOTALS): SessionRecord => ({
  type: "turn_commit",
  turn_id,
  timestamp_ms: 1,
  totals,
});

test("a message adds its tokens, its size and, from a user, a prompt", () => {
  const one = addMessage(EMPTY_TOTALS, user);
  expect(one).toEqual({ ...EMPTY_TOTALS, messages: 1, prompts: 1, estimated_tokens: 4 });
  expect(addMessage(one, assistant)).toEqual({
    messages: 2,
    prompts: 1,
    turns: 0,
    input_tokens: 10,
    output_tokens: 3,
    latest_total: 13,
    estimated_tokens: 9,
  });
});

test("a message without usage leaves the last model call's total as it was", () => {
  expect(addMessage(addMessage(EMPTY_TOTALS, assistant), user).latest_total).toBe(13);
});

test("a turn counts once, whatever it holds", () => {
  expect([addTurn(EMPTY_TOTALS, []).turns, addTurn(EMPTY_TOTALS, [user, assistant, user]).turns]).toEqual([1, 1]);
});

test("messages of a turn count when it is committed, and the commit says what they add up to", () => {
  const tally = createTally();
  for (const message of [user, assistant]) tally.add(record(message, "t1"));
  expect([tally.totals(), tally.uncommitted()]).toEqual([EMPTY_TOTALS, 2]);
  const totals = addTurn(EMPTY_TOTALS, [user, assistant]);
  tally.add(commit("t1", totals));
  expect([tally.totals(), tally.uncommitted()]).toEqual([totals, 0]);
});

test("turns that were never committed wait for ever and count nothing", () => {
  const tally = createTally();
  tally.add(record(user, "lost"));
  tally.add(record(user, "t2"));
  tally.add(commit("t2", addTurn(EMPTY_TOTALS, [user])));
  expect([tally.totals().messages, tally.uncommitted()]).toEqual([1, 1]);
});

test("messages of files that know no turns count at once, each prompt beginning one", () => {
  const tally = createTally();
  for (const message of [user, assistant, assistant, user]) tally.add(record(message));
  expect(tally.totals()).toEqual({
    messages: 4,
    prompts: 2,
    turns: 2,
    input_tokens: 20,
    output_tokens: 6,
    latest_total: 13,
    estimated_tokens: 18,
  });
});

test("bookkeeping counts nothing", () => {
  const tally = createTally();
  tally.add({ type: "session_meta", version: 1, session_id: "s", created_at_ms: 1 });
  tally.add({ type: "prompt_history", timestamp_ms: 1, text: "x" });
  tally.add({ type: "compaction", count: 1, removed_message_count: 3, summary: "s" });
  expect([tally.totals(), tally.uncommitted()]).toEqual([EMPTY_TOTALS, 0]);
});
