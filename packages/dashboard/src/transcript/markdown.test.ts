import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Span } from "./read-inline.ts";
import { readInline } from "./read-inline.ts";
import { readMarkdown } from "./read-markdown.ts";

test("blocks of a message", () => {
  const text = [
    "# What I did",
    "Fixed the sum.",
    "It rounds now.",
    "",
    "- one",
    "  more of one",
    "  - two",
    "10. ten",
    "",
    "> said",
    "> before",
    "```ts",
    "# no heading",
    "",
    "- no item",
    "```",
    "| a | b |",
    "| - | - |",
    "",
    "***",
    "end",
  ].join("\n");
  expect(readMarkdown(text)).toEqual([
    { kind: "heading", text: "What I did" },
    { kind: "paragraph", text: "Fixed the sum.\nIt rounds now." },
    { kind: "item", mark: "-", depth: 0, text: "one\nmore of one" },
    { kind: "item", mark: "-", depth: 1, text: "two" },
    { kind: "item", mark: "10.", depth: 0, text: "ten" },
    { kind: "quote", text: "said\nbefore" },
    { kind: "code", text: "# no heading\n\n- no item" },
    { kind: "code", text: "| a | b |\n| - | - |" },
    { kind: "rule" },
    { kind: "paragraph", text: "end" },
  ]);
});

test("a block of code that is still being written is code", () => {
  expect(readMarkdown("see\n~~~~\nx = 1\n~~~")).toEqual([
    { kind: "paragraph", text: "see" },
    { kind: "code", text: "x = 1\n~~~" },
  ]);
});

test("a text without Markdown is one paragraph for each part, letter by letter", () => {
  expect(readMarkdown("  a  b\nc -- d\n\n#5 is open\n1.5 times")).toEqual([
    { kind: "paragraph", text: "  a  b\nc -- d" },
    { kind: "paragraph", text: "#5 is open\n1.5 times" },
  ]);
});

/** Spans in short: code in backticks, emphasis in signs, links with their address. */
const short = (spans: readonly Span[]): string =>
  spans
    .map((span) => {
      if (span.kind === "code") return `<c ${span.text}>`;
      if (span.kind === "link") return `<a ${span.text} → ${span.target}>`;
      return span.kind === "text" ? span.text : `<${span.kind === "strong" ? "b" : "i"} ${short(span.inside)}>`;
    })
    .join("");

test.each([
  ["a `b` c", "a <c b> c"],
  ["``a ` b`` and ` open", "<c a ` b> and ` open"],
  ["**bold** and *slanted* __x__ _y_", "<b bold> and <i slanted> <b x> <i y>"],
  ["**bold with `code` and *more***", "<b bold with <c code> and <i more>>"],
  ["snake_case_name 2 * 3 * 4 **", "snake_case_name 2 * 3 * 4 **"],
  ["`**no**` \\*no\\*", "<c **no**> *no*"],
  ["see [docs](https://a.example/x) or [1] (2)", "see <a docs → https://a.example/x> or [1] (2)"],
  ["[x](javascript:alert) ![i](y)", "<a x → javascript:alert> !<a i → y>"],
  ["<b>no</b> &amp; https://a.example", "<b>no</b> &amp; https://a.example"],
])("%j is read as %j", (text, expected) => {
  expect(short(readInline(text))).toBe(expected);
});

const letters = (spans: readonly Span[]): string =>
  spans
    .map((span) => {
      if ("inside" in span) return letters(span.inside);
      return span.kind === "link" ? span.text + span.target : span.text;
    })
    .join("");

test("every letter of a text is shown, whatever its marks", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", " ", "\n", "*", "_", "`", "[", "]", "(", ")", "#", "-", ">", "~", "\\", "|"),
  });
  fc.assert(
    fc.property(text, (source) => {
      const shown = readMarkdown(source).map((block) => {
        if (block.kind === "rule") return "";
        return block.kind === "code" ? block.text : letters(readInline(block.text));
      });
      expect(shown.join("").replaceAll(/[^ab]/g, "")).toBe(
        // The word behind a fence names a language.
        source
          .replaceAll(/^ {0,3}(?:`{3,}|~{3,})[^`\n]*$/gm, (line) => (shown.join("").includes(line.trim()) ? line : ""))
          .replaceAll(/[^ab]/g, ""),
      );
    }),
    { numRuns: 500 },
  );
});

test.each(["**a ", "_a*", "`a``", "[a](", "[[[", "> - * ", "***", "x***", "\\["])(
  "%j again and again is read to its end",
  (part) => {
    const text = part.repeat(20_000);
    const count = readMarkdown(text).map((block) => ("text" in block ? readInline(block.text) : [])).length;
    expect(count).toBeGreaterThan(0);
  },
);
