import { describe, expect, test } from "vitest";
import type { AnyTool, TurnEvent } from "../../../agent/index.ts";
import { createMemoryScreen } from "../../testing/memory-screen.ts";
import { TurnView } from "./turn-view.ts";

const TOOLS = [{ name: "bash", mainField: "command" }] as unknown as AnyTool[];
const USAGE = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const said = (text: string): TurnEvent => ({ kind: "model", event: { kind: "text", text } });
const message = (text: string): TurnEvent => ({
  kind: "assistant",
  blocks: [{ type: "text", text }],
  stopReason: "end_turn",
  usage: USAGE,
});
const started = (id: string, command: string): TurnEvent => ({
  kind: "tool-started",
  id,
  name: "bash",
  input: { command },
});
const result = (id: string, output: string, isError = false): TurnEvent => ({
  kind: "tool-result",
  id,
  name: "bash",
  output,
  isError,
});

function show(...events: TurnEvent[]) {
  const screen = createMemoryScreen(40);
  const view = new TurnView(screen, () => TOOLS);
  for (const event of events) view.show(event);
  view.end();
  return screen;
}

describe("a turn on the screen", () => {
  test("shows text once, whether it came in pieces or whole", () => {
    expect(show(said("**Hel"), said("lo** you"), message("**Hello** you")).text()).toBe("Hello you\n");
    expect(show(message("whole")).text()).toBe("whole\n");
  });

  test("has a line for each call and the first lines of its result", () => {
    expect(show(said("First:"), started("1", "seq 9"), result("1", "1\n2\n3\n4\n5\n6\n")).text()).toBe(
      "First:\n\n● bash seq 9\n  └ 1\n    2\n    3\n    4\n    … 2 more lines\n",
    );
  });

  test("names the call again when its result comes behind another one's", () => {
    expect(show(started("1", "a"), started("2", "b"), result("1", "A"), result("2", "B")).text()).toBe(
      "● bash a\n● bash b\n● bash \n  └ A\n● bash \n  └ B\n",
    );
  });

  test("tells failures in red and denials in yellow, each once", () => {
    expect(show(started("1", "x"), result("1", "broken", true)).styled()).toContain("<red>  └ broken\n</red>");
    const denial = { tool_name: "bash", tool_use_id: "1", tool_input: { command: "rm x" }, reason: "not here" };
    const text = show({ kind: "denied", denial }, result("1", "Not allowed: not here", true)).text();
    expect(text).toBe("● bash rm x\n  └ denied: not here\n");
  });

  test("shows thoughts short, and what sub-agents say not at all", () => {
    const thought = "deep ".repeat(100);
    const events: TurnEvent[] = [
      { kind: "model", event: { kind: "thinking", text: thought } },
      { ...said("inner"), agent: "1" },
      message("done"),
    ];
    const text = show(...events).text();
    expect(text).not.toContain("inner");
    expect(text.replaceAll(/\s+/g, " ").length).toBeLessThan(200);
    expect(text).toContain("…");
  });

  test("says when what was said is void", () => {
    const retry = {
      kind: "retry",
      attempt: 1,
      maxAttempts: 3,
      delayMs: 1000,
      status: 529,
      reason: "overloaded",
    } as const;
    const text = show(said("half an ans"), { kind: "model", event: retry }, said("whole"), message("whole")).text();
    expect(text.replaceAll(/\s+/g, " ")).toBe(
      "half an ans overloaded; asking again in 1.0 s, what was said above is void whole ",
    );
  });
});
