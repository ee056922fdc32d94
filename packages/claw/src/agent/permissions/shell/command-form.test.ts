import { describe, expect, test } from "vitest";
import type { CommandForm } from "./command-form.ts";
import { pathsIn, readCommandArguments } from "./command-form.ts";

const FORM: CommandForm = {
  short: "ab",
  shortValue: "nk",
  shortMaybe: "U",
  long: ["all", "lines=", "color=?"],
  operands: "paths",
};
const read = (line: string, form: CommandForm = FORM): unknown => readCommandArguments(form, line.split(" "));

describe("arguments", () => {
  test.each([
    ["-a -b x", ["-a", "-b"], ["x"]],
    ["-ab x", ["-a", "-b"], ["x"]],
    ["-n 5 x", ["-n"], ["x"]],
    ["-n5 x", ["-n"], ["x"]],
    ["-an 5 x", ["-a", "-n"], ["x"]],
    ["-na x", ["-n"], ["x"]],
    ["-U x", ["-U"], ["x"]],
    ["-U5 x", ["-U"], ["x"]],
    ["-aUb x", ["-a", "-U"], ["x"]],
    ["--all x", ["--all"], ["x"]],
    ["--lines 5 x", ["--lines"], ["x"]],
    ["--lines=5 x", ["--lines"], ["x"]],
    ["--lines=a=b x", ["--lines"], ["x"]],
    ["--color x", ["--color"], ["x"]],
    ["--color=always x", ["--color"], ["x"]],
    ["x - y", [], ["x", "-", "y"]],
    ["-a -- -b --all -z", ["-a"], ["-b", "--all", "-z"]],
    ["-n -- x", ["-n"], ["x"]],
    ["x -n 5 y", ["-n"], ["x", "5", "y"]],
    ["x --lines 5", ["--lines"], ["x", "5"]],
    ["x -n5", ["-n"], ["x"]],
  ])("are flags and operands: %s", (line, flags, operands) => {
    expect(read(line)).toEqual({ flags, operands });
  });

  test.each(["-z x", "-az x", "--other x", "--al x", "--all=x", "-5 x", "-n", "x -n", "--lines", "-a5"])(
    "are not vetted when one is not known, or lacks its value: %s",
    (line) => {
      expect(read(line)).toBeNull();
    },
  );

  test("may be a number where a program takes one", () => {
    const form: CommandForm = { ...FORM, numbers: true };
    expect(read("-20 x", form)).toEqual({ flags: ["-20"], operands: ["x"] });
    expect([read("-2a x", form), read("-a2 x", form)]).toEqual([null, null]);
  });

  test("may be as many as a program takes, and not one more", () => {
    const form: CommandForm = { operands: "paths", maxOperands: 1 };
    expect(read("x", form)).toEqual({ flags: [], operands: ["x"] });
    expect(read("x y", form)).toBeNull();
  });
});

describe("operands that name files", () => {
  const paths = (operands: CommandForm["operands"], flags: string[], words: string[]): readonly string[] =>
    pathsIn({ operands, patternFlags: ["-e"] }, { flags, operands: words });

  test("are all of them, none, or those behind the pattern", () => {
    expect(paths("paths", [], ["a", "-", "b"])).toEqual(["a", "b"]);
    expect(paths("texts", [], ["a", "b"])).toEqual([]);
    expect(paths("none", [], ["a"])).toEqual([]);
    expect(paths("pattern", [], ["a", "b", "-"])).toEqual(["b"]);
    expect(paths("pattern", ["-e"], ["a", "b"])).toEqual(["a", "b"]);
    expect(paths("pattern", ["-i"], ["a", "b"])).toEqual(["b"]);
    expect(pathsIn({ operands: "pattern" }, { flags: ["-e"], operands: ["a", "b"] })).toEqual(["b"]);
  });
});
