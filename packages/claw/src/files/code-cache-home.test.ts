import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { codeCacheHome } from "./code-cache-home.ts";

type Home = typeof codeCacheHome;

const { cacheHome } = createRequire(import.meta.url)("../../bin/claw.cjs") as { readonly cacheHome: Home };

test.each([
  ["a named folder", { XDG_CACHE_HOME: "/cache", HOME: "/home/a" }, "linux", "/cache/claw/code"],
  ["the home", { HOME: "/home/a" }, "linux", "/home/a/.cache/claw/code"],
  ["a relative name", { XDG_CACHE_HOME: "cache", HOME: "/home/a" }, "linux", "/home/a/.cache/claw/code"],
  ["a Mac", { HOME: "/Users/a" }, "darwin", "/Users/a/Library/Caches/claw/code"],
  ["a named folder on a Mac", { XDG_CACHE_HOME: "/cache" }, "darwin", "/cache/claw/code"],
  ["no home", {}, "linux", undefined],
  ["a relative home", { HOME: "home" }, "linux", undefined],
  ["Windows, where owners cannot be checked", { HOME: "/home/a" }, "win32", undefined],
] as const)("compiled code of %s", (_of, env, platform, expected) => {
  expect(codeCacheHome(env, platform)).toBe(expected);
  expect(cacheHome(env, platform)).toBe(expected);
});
