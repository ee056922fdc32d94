import { describe, expect, test } from "vitest";
import { flagNames } from "./arguments/parse-call.ts";
import { channelProblem, decideChannel } from "./channel.ts";

interface Given {
  readonly argv?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: { envelope?: string; outputFormat?: string };
}

/** The channel, and the folders whose settings were asked for. */
function decide({ argv = [], env = {}, settings = {} }: Given) {
  const asked: (string | undefined)[] = [];
  const channel = decideChannel({
    argv,
    env,
    names: flagNames(),
    settings: (cwd) => {
      asked.push(cwd);
      return settings;
    },
  });
  return { channel, asked };
}

const TEXT = {
  format: "text",
  stream: false,
  formatSource: "default",
  formatRaw: null,
  formatOverridden: [],
  envelope: "claw",
} as const;

describe("how to answer", () => {
  test("is text for people when nobody says otherwise", () => {
    expect(decide({})).toEqual({ channel: TEXT, asked: [undefined] });
  });

  test("is decided by flag before environment before settings", () => {
    const env = { CLAW_OUTPUT_FORMAT: "text", CLAW_ENVELOPE: "flat" };
    const settings = { outputFormat: "json", envelope: "response" };
    expect(decide({ settings }).channel).toEqual({
      ...TEXT,
      format: "json",
      formatSource: "config",
      formatRaw: "json",
      envelope: "response",
    });
    expect(decide({ env, settings }).channel).toEqual({
      ...TEXT,
      formatSource: "env",
      formatRaw: "text",
      envelope: "flat",
    });
    const argv = ["status", "--output-format=JSON", "--envelope", "Response"];
    expect(decide({ argv, env, settings }).channel).toEqual({
      ...TEXT,
      format: "json",
      formatSource: "flag",
      formatRaw: "JSON",
      envelope: "response",
    });
  });

  test("is not asked of the settings when flags and environment decide it all", () => {
    expect(decide({ argv: ["--output-format", "json"], env: { CLAW_ENVELOPE: "flat" } }).asked).toEqual([]);
  });

  test("is asked of the settings of the folder that is named last, once", () => {
    expect(decide({ argv: ["--cwd", "/a", "-C", "/b", "status"] }).asked).toEqual(["/b"]);
  });

  test("is said by the last flag, and the others are remembered", () => {
    const argv = ["--output-format", "text", "--output-format", "yaml", "status", "--output-format=json"];
    expect(decide({ argv }).channel).toMatchObject({ format: "json", formatOverridden: ["text", "yaml"] });
  });

  test("is not said by an empty variable, nor by words behind two dashes", () => {
    const env = { CLAW_OUTPUT_FORMAT: "", CLAW_ENVELOPE: "" };
    expect(decide({ env, argv: ["flush-transcript", "--", "--output-format", "json"] }).channel).toEqual(TEXT);
  });
});

describe("a word that is not known", () => {
  test("for the format makes the answer JSON, since a program asked for it", () => {
    expect(decide({ argv: ["--output-format", "YAML"] }).channel).toEqual({
      ...TEXT,
      format: "json",
      formatSource: "flag",
      formatRaw: "YAML",
      unknown: { name: "outputFormat", origin: "flag", value: "YAML" },
    });
  });

  test("for the envelope leaves the default one", () => {
    expect(decide({ env: { CLAW_ENVELOPE: "xml" } }).channel).toEqual({
      ...TEXT,
      unknown: { name: "envelope", origin: "env", value: "xml" },
    });
  });

  test("in the environment is an error, elsewhere others report it", () => {
    const problemOf = (given: Given) => channelProblem(decide(given).channel);
    expect(problemOf({ env: { CLAW_OUTPUT_FORMAT: "yaml" } })).toMatchObject({
      code: "INVALID_OUTPUT_FORMAT",
      message: "CLAW_OUTPUT_FORMAT must be one of text, json, not 'yaml'",
      target: "CLAW_OUTPUT_FORMAT",
      options: { details: { value: "yaml", expected: ["text", "json"] } },
    });
    expect(problemOf({ env: { CLAW_ENVELOPE: "xml" } })).toMatchObject({
      code: "INVALID_FLAG_VALUE",
      message: "CLAW_ENVELOPE must be one of claw, flat, response, not 'xml'",
    });
    const others = [
      problemOf({}),
      problemOf({ argv: ["--output-format=yaml"] }),
      problemOf({ settings: { outputFormat: "yaml" } }),
    ];
    expect(others).toEqual([undefined, undefined, undefined]);
  });
});
