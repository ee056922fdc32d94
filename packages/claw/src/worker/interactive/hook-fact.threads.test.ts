import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AgentSession } from "./agent-session.ts";
import { NEW_SESSION, reduceSession } from "./agent-session.ts";
import { readHook, readThreadEnd } from "./hook-fact.ts";

type Report = Readonly<Record<string, unknown>>;

/** What Codex reported in its first turn: a title was found, and six seconds later the turn ended. */
const RECORDED = JSON.parse(
  readFileSync(new URL("../../../../../test/fixtures/hooks/codex-first-turn.json", import.meta.url), "utf8"),
) as readonly Report[];
const OPENING = "please sleep for me";

function after(session: AgentSession, report: Report, opening = OPENING): AgentSession {
  const facts = readHook(report).flatMap((fact) =>
    fact.kind === "thread-ended" ? readThreadEnd(fact, session, opening) : [fact],
  );
  return facts.reduce(reduceSession, session);
}

test("the thread that finds a title ends no turn; the conversation does, and is known by its id from then on", () => {
  const [title = {}, turn = {}] = RECORDED;
  const titled = after(NEW_SESSION, title);
  expect(titled).toEqual(NEW_SESSION);
  const ended = after(titled, turn);
  expect(ended).toMatchObject({ id: turn["thread-id"], turn: "ended", turns: 1, lastText: "Done it all." });
  expect(after(ended, { ...turn, "input-messages": ["something else"] })).toMatchObject({ turns: 2 });
  expect(after(ended, title)).toEqual(ended);
  expect(after(ended, { ...turn, "thread-id": "a sub-agent" })).toEqual(ended);
});

test("a turn that ends without having been seen to begin has begun", () => {
  const [, turn = {}] = RECORDED;
  const kinds = (session: AgentSession): string[] =>
    readHook(turn)
      .flatMap((fact) => (fact.kind === "thread-ended" ? readThreadEnd(fact, session, OPENING) : []))
      .map(({ kind }) => kind);
  expect(kinds(NEW_SESSION)).toEqual(["session", "turn-started", "turn-ended"]);
  expect(kinds({ ...NEW_SESSION, turn: "running" })).toEqual(["session", "turn-ended"]);
});

test("a first prompt is known by its beginning, and none is taken for another", () => {
  const long = "word ".repeat(5000);
  const report = { type: "agent-turn-complete", "thread-id": "t", "input-messages": [long.slice(0, 4096)] };
  expect(after(NEW_SESSION, report, long)).toMatchObject({ turn: "ended" });
  for (const messages of [[], [""], ["please sleep"], undefined, "please sleep for me", [7]]) {
    expect(after(NEW_SESSION, { ...report, "input-messages": messages })).toEqual(NEW_SESSION);
  }
  expect(after(NEW_SESSION, { ...report, "input-messages": ["more", ` ${OPENING}\n`] })).toMatchObject({ id: "t" });
});
