import { describe, expect, test } from "vitest";
import type { Conversation, ToolResult } from "../../model-server/conversation.ts";
import { say, use, useAll } from "../../model-server/model-scenario.ts";
import type { Steps } from "./policy.ts";
import { GIVEN_UP, Puzzled, react } from "./policy.ts";
import { roundsOf } from "./rounds.ts";
import { repeatResults, swapResults, withholdResult } from "./tampering.ts";

const result = (id: string, output: string): ToolResult => ({ id, name: "read_file", output, isError: false });

const conversation = (...results: readonly ToolResult[]): Conversation => ({
  prompts: ["Add them"],
  turn: 0,
  output: results.at(-1)?.output ?? "",
  results,
});

const read = (path: string) => ({ name: "read_file", input: { path } });

/** Reads a name, then the two files it stands for, and subtracts. */
function* policy(): Steps {
  const [first] = yield [read("name")];
  if (first === undefined || first.output === "") throw new Puzzled("there is no name");
  const [left, right] = yield [read(`${first.output}.left`), read(`${first.output}.right`)];
  return String(Number(left?.output) - Number(right?.output));
}

const NAME = result("toolu_4_0", "kip");
const LEFT = result("toolu_5_1", "9");
const RIGHT = result("toolu_5_2", "2");

describe("a policy", () => {
  const model = react(policy);

  test("says what follows from the results so far", () => {
    expect(model(conversation())).toEqual(use("read_file", { path: "name" }));
    const both = [{ path: "kip.left" }, { path: "kip.right" }].map((input) => ["read_file", input] as const);
    expect(model(conversation(NAME))).toEqual(useAll(...both));
    expect(model(conversation(NAME, LEFT, RIGHT))).toEqual(say("7"));
    expect(model(conversation(NAME))).toEqual(useAll(...both));
  });

  test("goes by the ids of results and not by their order", () => {
    expect(model(conversation(NAME, RIGHT, LEFT))).toEqual(say("7"));
    expect(roundsOf([NAME, RIGHT, LEFT])).toEqual([[NAME], [LEFT, RIGHT]]);
  });

  test("gives up when it makes no sense of a result", () => {
    expect(model(conversation(result("toolu_4_0", "")))).toEqual(say(`${GIVEN_UP}there is no name`));
  });
});

describe("tampering", () => {
  const whole = conversation(NAME, LEFT, RIGHT);
  const outputs = ({ results }: Conversation): string[] => results.map(({ output }) => output);

  test("changes the outputs of one round and says of whom they are as before", () => {
    expect(outputs(swapResults(1)(whole))).toEqual(["kip", "2", "9"]);
    expect(outputs(withholdResult(1, 1)(whole))).toEqual(["kip", "9", ""]);
    expect(outputs(repeatResults(1)(whole))).toEqual(["kip", "kip", "kip"]);
    expect(swapResults(1)(whole)).toMatchObject({ output: "9", results: [{ id: NAME.id }, { id: LEFT.id }, {}] });
  });

  test("leaves a conversation alone that has not come so far", () => {
    for (const tamper of [swapResults(1), withholdResult(1), repeatResults(1)]) {
      expect(tamper(conversation(NAME))).toEqual(conversation(NAME));
    }
  });
});
