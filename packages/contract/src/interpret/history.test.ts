import { expect, test } from "vitest";
import { EMPTY_HISTORY, MAX_HISTORY_ENTRIES, readHistory } from "./index.ts";

test("reading a damaged history keeps its sound entries", () => {
  const stored = {
    retries: [{ command: "A", code: "X", count: 2, extra: 1 }, { command: "A", code: "X", count: -1 }, { count: 1 }],
    refreshes: ["A", 5],
    redirects: [
      { from: "A", to: "B", reason: "renamed" },
      { from: "A", to: "" },
    ],
    trails: [
      { command: "B", via: ["A", 3] },
      { command: "C", via: [] },
    ],
    deprecations: [{ command: "A", warning: "deprecated" }, {}],
    unknown: true,
  };
  expect(readHistory(stored)).toEqual({
    retries: [{ command: "A", code: "X", count: 2 }],
    refreshes: ["A"],
    redirects: [{ from: "A", to: "B", reason: "renamed" }],
    trails: [{ command: "B", via: ["A"] }],
    deprecations: [{ command: "A", warning: "deprecated" }],
  });
});

test("a history that grew too long loses its oldest entries", () => {
  const refreshes = Array.from({ length: MAX_HISTORY_ENTRIES + 2 }, (_, index) => `c${index}`);
  expect(readHistory({ refreshes })).toEqual({ ...EMPTY_HISTORY, refreshes: refreshes.slice(2) });
});
