import { expect, test } from "vitest";
import { bareText } from "./bare-text.ts";
import type { TranscriptItem } from "./fold-transcript.ts";
import { foldTranscript } from "./fold-transcript.ts";
import type { TranscriptPages } from "./transcript-pages.ts";
import { firstPage, withNewer, withOlder } from "./transcript-pages.ts";

const item = (position: number, kind: TranscriptItem["kind"], more: Partial<TranscriptItem> = {}): TranscriptItem => ({
  position,
  kind,
  text: `${kind} ${position}`,
  ...more,
});

test("a call has its result, and what a sub-agent did stands below the call", () => {
  const [call, inner, innerResult, result] = [
    item(1, "tool", { call: "a" }),
    item(2, "tool", { call: "b", agent: "a" }),
    item(3, "result", { call: "b" }),
    item(4, "result", { call: "a" }),
  ];
  expect(foldTranscript([call, inner, innerResult, result, item(5, "text")])).toEqual([
    { item: call, result, inside: [{ item: inner, result: innerResult, inside: [] }] },
    { item: item(5, "text"), result: null, inside: [] },
  ]);
});

test("a call that failed has its error, and an error of the agent stands for itself", () => {
  const [call, failure] = [item(1, "tool", { call: "a" }), item(2, "error", { call: "a" })];
  const own = item(3, "error");
  expect(foldTranscript([call, failure, own])).toEqual([
    { item: call, result: failure, inside: [] },
    { item: own, result: null, inside: [] },
  ]);
});

test.each([
  ["prompt", "> do\n> this", undefined, "do\nthis"],
  ["tool", "● Bash: ls", undefined, "Bash: ls"],
  ["tool", "  ● Bash: ls", "a", "Bash: ls"],
  ["result", "  └ two\n    files\n      deep", undefined, "two\nfiles\n  deep"],
  ["error", "    └ no", "a", "no"],
  ["text", "  a list\n● point", undefined, "  a list\n● point"],
] as const)("a %s %j has no signs of a terminal on the page", (kind, text, agent, bare) => {
  expect(bareText({ kind, text, ...(agent === undefined ? {} : { agent }) })).toBe(bare);
});

test("an item whose call is not here stands for itself", () => {
  const items = [item(1, "result", { call: "gone" }), item(2, "text", { agent: "gone" })];
  expect(foldTranscript(items).map((entry) => entry.item)).toEqual(items);
});

const part = (from: number, to: number, hasOlder = false) => ({
  items: Array.from({ length: to - from + 1 }, (_, at) => item(from + at, "text")),
  first: from,
  next: to + 1,
  hasOlder,
  hasNewer: false,
});

const positions = ({ items }: TranscriptPages): number[] => items.map(({ position }) => position);

test("parts join without a repeated item, and the oldest are dropped beyond the limit", () => {
  const pages = withNewer(firstPage(part(3, 5, true)), part(5, 7));
  expect(positions(pages)).toEqual([3, 4, 5, 6, 7]);
  const longer = withOlder(pages, part(1, 3));
  expect([positions(longer), longer.hasOlder, longer.first]).toEqual([[1, 2, 3, 4, 5, 6, 7], false, 1]);
  const cut = withNewer(longer, part(8, 9), 4);
  expect([positions(cut), cut.hasOlder, cut.first, cut.next]).toEqual([[6, 7, 8, 9], true, 6, 10]);
});
