import type { HarnessId, JsonObject } from "claw-contract";
import { describe, expect, test } from "vitest";
import { watchDialect } from "./dialect.ts";

const CLAUDE = { type: "assistant", message: {} };
const CODEX = { type: "item.completed", item: {} };
const SERVER = { method: "turn/started", params: {} };
const UNKNOWN = { type: "brand_new" };

const warningFor = (harness: HarnessId, ...events: JsonObject[]): string | undefined => {
  const watch = watchDialect(harness);
  for (const event of events) watch.note(event);
  return watch.warning();
};

describe("a stream read for the wrong agent", () => {
  test.each<[HarnessId, JsonObject, string]>([
    ["codex", CLAUDE, "claude-code"],
    ["claude-code", CODEX, "codex"],
    ["claude-code", SERVER, "codex"],
    ["claw", CODEX, "codex"],
  ])("%s is warned of, with the right one", (harness, event, right) => {
    expect(warningFor(harness, UNKNOWN, event)).toBe(
      `wrong-harness: the stream is of ${right} and was read as one of ${harness}; read it with --harness ${right}`,
    );
  });

  test.each<[HarnessId, JsonObject]>([
    ["codex", CODEX],
    ["codex", SERVER],
    ["claude-code", CLAUDE],
    ["claw", CLAUDE],
    ["fake", CLAUDE],
    ["fake", CODEX],
  ])("%s is not what one with an event of its own is", (harness, event) => {
    expect(warningFor(harness, UNKNOWN, event)).toBeUndefined();
  });

  test.each<HarnessId>(["codex", "claude-code", "fake"])("%s is told that nothing in it is an event", (harness) => {
    expect(warningFor(harness, UNKNOWN)).toBe(`no-events: nothing in the stream is an event of ${harness}`);
  });
});
