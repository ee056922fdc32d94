import { expect, test } from "vitest";
import { compileParserOnce } from "./compile-parser-once.ts";

function flagsOn(version: string): string[] {
  const flags: string[] = [];
  compileParserOnce(version, (flag) => void flags.push(flag));
  return flags;
}

test("Node 20 compiles the parser once; other versions, which may not know the flag, are left alone", () => {
  expect(flagsOn("20.19.0")).toEqual(["--liftoff-only"]);
  expect([...flagsOn("22.1.0"), ...flagsOn("26.10.0"), ...flagsOn("200.1.0")]).toEqual([]);
});

test("this version of Node takes what is set", () => {
  expect(() => compileParserOnce()).not.toThrow();
});
