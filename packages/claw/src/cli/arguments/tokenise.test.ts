import type { FieldSpec } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexFlags, tokenise } from "./tokenise.ts";

const field = (name: string, more: Partial<FieldSpec>): FieldSpec => ({
  name,
  type: "string",
  required: false,
  description: "",
  flag: name,
  ...more,
});

const names = indexFlags([
  field("cwd", { short: "C", aliases: ["directory"] }),
  field("limit", { type: "integer" }),
  field("quiet", { type: "boolean", short: "q" }),
  field("verbose", { type: "boolean", short: "v" }),
  { name: "path", type: "string", required: false, description: "", positional: 0 },
]);

const read = (...argv: string[]) => tokenise(argv, names);
const word = (value: string, at: number) => ({ kind: "positional", value, at });
const flag = (name: string, raw: string, value?: string) => ({
  kind: "flag",
  name,
  raw,
  value,
  at: expect.any(Number) as number,
});
const unknown = (raw: string) => ({ kind: "unknown", raw });

describe("words", () => {
  test("know their place", () => {
    expect(read("a", "--quiet", "b")).toEqual([word("a", 0), flag("quiet", "--quiet", "true"), word("b", 2)]);
  });

  test.each(["-", "-5", "-.5", "", " -x"])("%j is one, not a flag", (text) => {
    expect(read(text)).toEqual([word(text, 0)]);
  });

  test("are all that follows two dashes", () => {
    expect(read("--quiet", "--", "--limit", "--", "-q")).toEqual([
      flag("quiet", "--quiet", "true"),
      word("--limit", 2),
      word("--", 3),
      word("-q", 4),
    ]);
  });
});

describe("flags", () => {
  test.each([
    [["--limit", "5"], flag("limit", "--limit", "5")],
    [["--limit=5"], flag("limit", "--limit", "5")],
    [["--limit="], flag("limit", "--limit", "")],
    [["--limit", "-5"], flag("limit", "--limit", "-5")],
    [["--limit=--quiet"], flag("limit", "--limit", "--quiet")],
    [["--cwd=a=b"], flag("cwd", "--cwd", "a=b")],
    [["--cwd", ""], flag("cwd", "--cwd", "")],
    [["--directory", "d"], flag("cwd", "--directory", "d")],
    [["-C", "d"], flag("cwd", "-C", "d")],
    [["-Cd"], flag("cwd", "-C", "d")],
    [["-C=d"], flag("cwd", "-C", "d")],
    [["--quiet=false"], flag("quiet", "--quiet", "false")],
    [["--limit"], flag("limit", "--limit")],
    [["-C"], flag("cwd", "-C")],
  ])("%j is one flag", (argv, token) => {
    expect(read(...argv)).toEqual([token]);
  });

  test("that need a value do not take the next flag for it", () => {
    expect(read("--cwd", "--quiet")).toEqual([flag("cwd", "--cwd"), flag("quiet", "--quiet", "true")]);
  });

  test("that are switches do not take the next word", () => {
    expect(read("-q", "word")).toEqual([flag("quiet", "-q", "true"), word("word", 1)]);
  });

  test("of one letter can stand together, the last with a value", () => {
    expect(read("-qvC", "d")).toEqual([
      flag("quiet", "-q", "true"),
      flag("verbose", "-v", "true"),
      flag("cwd", "-C", "d"),
    ]);
  });

  test.each([
    [["--nope"], [unknown("--nope")]],
    [["--nope=secret"], [unknown("--nope")]],
    [["-x"], [unknown("-x")]],
    [["-xyz"], [unknown("-xyz")]],
    [["-qx"], [flag("quiet", "-q", "true"), unknown("-x")]],
    [["--path=x"], [unknown("--path")]],
    [["--toString"], [unknown("--toString")]],
  ])("%j are not known", (argv, tokens) => {
    expect(read(...argv)).toEqual(tokens);
  });
});

test("any command line is cut without failing, and no word of it appears from nowhere", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "-", "--cwd", "--limit=", "-q", "-C", "--quiet", "-Cx", "a"),
  );
  fc.assert(
    fc.property(fc.array(text), (argv) => {
      const foreign = read(...argv).filter((token) =>
        token.kind === "positional"
          ? argv[token.at] !== token.value
          : !argv.some((given) => given.startsWith(token.raw.slice(0, 1))),
      );
      expect(foreign).toEqual([]);
    }),
  );
});
