import type { VerbSpec } from "claw-contract";
import { describe, expect, test } from "vitest";
import { splitRest } from "./split-rest.ts";
import { indexFlags } from "./tokenise.ts";

const text = (name: string, flag: string) => ({
  name,
  flag,
  type: "string" as const,
  required: false,
  description: "",
});
const GLOBALS = [text("outputFormat", "output-format"), { ...text("quiet", "quiet"), type: "boolean" as const }];

const PLAYS = {
  name: "play",
  fields: [
    { name: "who", type: "string", required: false, description: "", positional: 0 },
    { name: "args", type: "array", required: false, description: "", positional: 1, rest: true },
    text("scenario", "scenario"),
    { ...text("loud", "loud"), type: "boolean" },
  ],
} as unknown as VerbSpec;
const TWO = { ...PLAYS, name: "stage play" } as unknown as VerbSpec;
const OTHER = { name: "other", fields: [text("scenario", "scenario")] } as unknown as VerbSpec;

const split = (...argv: string[]) => {
  const names = indexFlags([...PLAYS.fields, ...GLOBALS]);
  const { own, rest } = splitRest(argv, names, [PLAYS, TWO, OTHER]);
  return [own.join(" "), rest.join(" ")];
};

test("the words of a two-word verb are none of its arguments", () => {
  expect(split("stage", "--quiet", "play", "claude", "-p", "hi")).toEqual(["stage --quiet play claude", "-p hi"]);
});

describe("the line of a verb that passes arguments on", () => {
  test("is cut behind its last positional and the verb's own flags there", () => {
    expect(split("play", "claude", "--scenario", "s", "--loud", "-p", "hi", "--scenario", "x")).toEqual([
      "play claude --scenario s --loud",
      "-p hi --scenario x",
    ]);
    expect(split("play", "claude", "--scenario=s", "exec")).toEqual(["play claude --scenario=s", "exec"]);
  });

  test("leaves flags of every call to claw only before the positional", () => {
    expect(split("--quiet", "play", "--output-format", "json", "claude", "--output-format", "text")).toEqual([
      "--quiet play --output-format json claude",
      "--output-format text",
    ]);
  });

  test("may mark the beginning with --, which is not passed on", () => {
    expect(split("play", "claude", "--", "--scenario", "x")).toEqual(["play claude", "--scenario x"]);
  });

  test("is whole when there is nobody to pass on to", () => {
    expect(split("play", "--scenario", "s")).toEqual(["play --scenario s", ""]);
    expect(split("play")).toEqual(["play", ""]);
  });
});

test("the line of any other verb is whole", () => {
  expect(split("other", "a", "-p", "b")).toEqual(["other a -p b", ""]);
  expect(split()).toEqual(["", ""]);
});
