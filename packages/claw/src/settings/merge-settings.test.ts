import { expect, test } from "vitest";
import { mergeSettings } from "./merge-settings.ts";

test("no files come to no settings", () => {
  expect(mergeSettings([])).toEqual({});
});

test("of single values the later one holds, and others stay", () => {
  const files = [{ model: "a", compaction: { thresholdTokens: 1, other: 2 } }, { compaction: { thresholdTokens: 3 } }];
  expect(mergeSettings(files)).toEqual({ model: "a", compaction: { thresholdTokens: 3, other: 2 } });
});

test("lists are joined, each entry once, so that a later file cannot take a rule away", () => {
  const merged = mergeSettings([
    { permissions: { deny: ["bash(rm:*)"] }, hooks: { Stop: ["a", { matcher: "x" }] }, trustedRoots: ["/a"] },
    { permissions: { deny: [] }, hooks: { Stop: [{ matcher: "x" }, "b"], SessionStart: ["c"] } },
    { permissions: { deny: ["web_fetch", "bash(rm:*)"] }, trustedRoots: ["/b"] },
  ]);
  expect(merged).toEqual({
    permissions: { deny: ["bash(rm:*)", "web_fetch"] },
    hooks: { Stop: ["a", { matcher: "x" }, "b"], SessionStart: ["c"] },
    trustedRoots: ["/a", "/b"],
  });
});

test("a server, a provider, a price is taken from one file whole", () => {
  const merged = mergeSettings([
    { mcpServers: { one: { command: "a", args: ["1"] }, "b.c": { command: "b" } } },
    { mcpServers: { one: { url: "http://localhost" } } },
  ]);
  expect(merged).toEqual({ mcpServers: { one: { url: "http://localhost" }, "b.c": { command: "b" } } });
});

test("a name that would change what objects are is no name", () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":1},"aliases":{"__proto__":{"polluted":1},"a":"b"}}') as object;
  const merged = mergeSettings([{ aliases: { z: "y" } }, { ...hostile }]) as { aliases: object; polluted?: number };
  expect([merged, merged.polluted, "polluted" in merged.aliases]).toEqual([
    { aliases: { z: "y", a: "b" } },
    undefined,
    false,
  ]);
});
