import { readFileSync } from "node:fs";
import type { JsonObject } from "claw-contract";
import { describe, expect, test } from "vitest";
import { REQUEST } from "../testing/dialogue-request.ts";
import { jsonLines } from "../../process/testing/json-lines.ts";
import type { Dialogue, RunRequest } from "../harness.ts";
import { HARNESSES } from "../harness-table.ts";
import { readEvents } from "../testing/read-events.ts";

const FOLDER = new URL("../../../../../test/fixtures/harness/live/", import.meta.url);

const linesOf = (name: string): JsonObject[] =>
  jsonLines<JsonObject>(readFileSync(new URL(`${name}.ndjson`, FOLDER), "utf8"));

const LIVE_REQUEST: RunRequest = { ...REQUEST, prompt: "write the note", live: true };

/** What a dialogue hears of texts, line by line. */
function fatesIn(dialogue: Dialogue, natives: readonly JsonObject[]): string[] {
  return natives.flatMap((native) => {
    const fates = dialogue.heardOf(native).map(({ id, fate }) => `${fate} ${id.slice(0, 8)}`);
    dialogue.heard(native);
    return fates;
  });
}

describe("Claude Code", () => {
  test("tells that it has a text, that it took it and that it is done with it", () => {
    const dialogue = HARNESSES["claude-code"].dialogue(LIVE_REQUEST);
    const fates = fatesIn(dialogue, linesOf("claude_text")).filter((fate) => fate.endsWith("1443f3c1"));
    expect(fates).toEqual(["read 1443f3c1", "taken 1443f3c1", "taken 1443f3c1", "taken 1443f3c1"]);
  });

  test("takes back a text that it cancelled", () => {
    const dialogue = HARNESSES["claude-code"].dialogue(LIVE_REQUEST);
    const cancelled = { type: "command_lifecycle", command_uuid: "t1", state: "cancelled" };
    expect(dialogue.heardOf(cancelled)).toEqual([{ id: "t1", fate: "refused" }]);
    expect(dialogue.heardOf({ ...cancelled, state: "of a later version" })).toEqual([]);
  });
});

describe("Codex", () => {
  /** Where in the recording the text was said, and under which id of ours. */
  const STEERED = 4;
  const TEXT_ID = "6e5ee873-cf4b-467b-974d-fcfc65c61326";
  const natives = linesOf("codex_steer");
  const asked = natives.findIndex(({ id, method }) => id === STEERED && method === undefined);

  test("has a text when it answers, and has taken it when it stands in its thread", () => {
    const dialogue = HARNESSES.codex.dialogue(LIVE_REQUEST);
    expect(fatesIn(dialogue, natives.slice(0, asked))).toEqual([]);
    const [frame] = dialogue.say("and say hello", TEXT_ID) ?? [];
    expect(frame).toMatchObject({
      id: STEERED,
      method: "turn/steer",
      params: { clientUserMessageId: TEXT_ID, expectedTurnId: "01a1e407-def2-7ea3-821c-dcddd87d22e1" },
    });
    expect(fatesIn(dialogue, natives.slice(asked))).toEqual(["read 6e5ee873", "taken 6e5ee873"]);
  });

  test("gives back what a turn had and ended without", () => {
    const dialogue = HARNESSES.codex.dialogue(LIVE_REQUEST);
    fatesIn(dialogue, natives.slice(0, asked));
    dialogue.say("and say hello", TEXT_ID);
    const isOurs = ({ params }: JsonObject): boolean => JSON.stringify(params)?.includes(TEXT_ID) ?? false;
    const without = natives.slice(asked).filter((native) => !isOurs(native));
    expect(fatesIn(dialogue, without)).toEqual(["read 6e5ee873", "refused 6e5ee873"]);
    expect(dialogue.say("and say hello", TEXT_ID)).toMatchObject([{ method: "turn/start" }]);
  });

  test("is not asked again by the turn that would not have it, but by the next", () => {
    const dialogue = HARNESSES.codex.dialogue(LIVE_REQUEST);
    fatesIn(dialogue, natives.slice(0, asked));
    dialogue.say("and say hello", TEXT_ID);
    const error = { code: -32_600, message: "expected active turn id `a` but found `b`" };
    expect(fatesIn(dialogue, [{ id: STEERED, error }])).toEqual(["refused 6e5ee873"]);
    expect(dialogue.say("and say hello", TEXT_ID)).toBeNull();
    const [end] = natives.slice(-1);
    fatesIn(dialogue, end === undefined ? [] : [end]);
    expect(dialogue.say("and say hello", TEXT_ID)).toMatchObject([{ method: "turn/start" }]);
  });

  test("is told in its own turn, whatever its sub-agents do", () => {
    const dialogue = HARNESSES.codex.dialogue(LIVE_REQUEST);
    fatesIn(dialogue, natives.slice(0, asked));
    fatesIn(dialogue, [
      { method: "turn/started", params: { threadId: "of-a-sub-agent", turn: { id: "theirs" } } },
      { method: "turn/completed", params: { threadId: "of-a-sub-agent", turn: { id: "theirs" } } },
    ]);
    expect(dialogue.say("hello", TEXT_ID)).toMatchObject([{ method: "turn/steer" }]);
  });

  test("of a version that does not name items has taken a text when it answers", () => {
    const dialogue = HARNESSES.codex.dialogue(LIVE_REQUEST);
    const older = (native: JsonObject): JsonObject =>
      JSON.parse(JSON.stringify(native).replaceAll(/"clientId":(null|"[^"]*"),/g, "")) as JsonObject;
    fatesIn(dialogue, natives.slice(0, asked).map(older));
    dialogue.say("and say hello", TEXT_ID);
    expect(fatesIn(dialogue, natives.slice(asked).map(older))).toEqual(["taken 6e5ee873"]);
  });
});

describe("a usage limit", () => {
  const RESETS_AT_MS = 1_794_827_126_000;

  test.each([
    ["claude-code", "claude_usage_limit", (native: JsonObject) => native["type"] === "result"],
    ["codex", "codex_usage_limit", (native: JsonObject) => native["method"] === "turn/completed"],
  ] as const)("of %s says when it is over, and the run that went on has none", (harness, name, isEnd) => {
    const natives = linesOf(name);
    const end = natives.findIndex(isEnd) + 1;
    const limited = readEvents(harness, natives.slice(0, end));
    expect(limited.progress).toMatchObject({ limitResetsAtMs: RESETS_AT_MS, sawResult: true });
    expect(limited.result.error_category).toBe("rate_limit");
    const resumed = readEvents(harness, natives.slice(end));
    expect(resumed.progress).toMatchObject({ limitResetsAtMs: null, sessionId: limited.progress.sessionId });
    expect(resumed.result).toMatchObject({ output: "Recovered.", error_category: null });
  });

  test("that is far from reached does not say how long another failure lasts", () => {
    const info = { status: "allowed", resetsAt: RESETS_AT_MS / 1000, rateLimitType: "five_hour" };
    const { progress } = readEvents("claude-code", [{ type: "rate_limit_event", rate_limit_info: info }]);
    expect(progress.limitResetsAtMs).toBeNull();
  });
});
