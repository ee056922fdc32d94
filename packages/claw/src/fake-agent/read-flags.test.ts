import { expect, test } from "vitest";
import { flagTable, readFlags } from "./read-flags.ts";

const TABLE = flagTable({ none: "-p --print, --verbose", one: "-m --model", maybe: "-r --resume", many: "--tools" });

const read = (...argv: string[]): unknown => {
  const { flags, ...rest } = readFlags(argv, TABLE);
  return { flags: Object.fromEntries(flags), ...rest };
};

test("flags are read by their arity, whatever their spelling", () => {
  expect(read("-p", "hello", "-m", "opus", "--tools", "Bash", "Read", "--verbose")).toEqual({
    flags: { "--print": [], "--model": ["opus"], "--tools": ["Bash", "Read"], "--verbose": [] },
    words: ["hello"],
    unknown: undefined,
  });
});

test("a value that may be left out is the next word, unless that is a flag", () => {
  expect(read("--resume", "id", "word")).toMatchObject({ flags: { "--resume": ["id"] }, words: ["word"] });
  expect(read("--resume", "--print")).toMatchObject({ flags: { "--resume": [], "--print": [] }, words: [] });
});

test("a value behind = is taken as it stands, and a flag may come twice", () => {
  expect(read("--model=a=b", "--model", "-x")).toMatchObject({ flags: { "--model": ["a=b", "-x"] } });
});

test("behind -- everything is a word, and - is one too", () => {
  expect(read("-", "--", "--print")).toMatchObject({ flags: {}, words: ["-", "--print"] });
});

test("the first unknown flag is named", () => {
  expect(read("--no", "--nope=1")).toMatchObject({ unknown: "--no", flags: { "--no": [], "--nope": ["1"] } });
});
