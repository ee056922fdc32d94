import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Span } from "../../runtime/screen.ts";
import { MarkdownStream } from "./markdown-stream.ts";
import { WordWrap } from "../../text/word-wrap.ts";

/** Neighbours of one look put together, so that only what is seen is compared. */
function merged(spans: readonly Span[]): [string, string][] {
  const result: [string, string][] = [];
  for (const { text, styles = [] } of spans) {
    const look = styles.join("+");
    const last = result.at(-1);
    if (last !== undefined && last[1] === look) last[0] += text;
    else if (text !== "") result.push([text, look]);
  }
  return result;
}

function render(chunks: readonly string[]): [string, string][] {
  const stream = new MarkdownStream();
  return merged([...chunks.flatMap((chunk) => stream.push(chunk)), ...stream.end()]);
}

function wrap(chunks: readonly string[], columns: number): string {
  const stream = new MarkdownStream();
  const lines = new WordWrap(() => columns);
  const spans = [
    ...chunks.flatMap((chunk) => lines.push(stream.push(chunk))),
    ...lines.push(stream.end()),
    ...lines.end(),
  ];
  return spans.map(({ text }) => text).join("");
}

const plain = (text: string): string =>
  render([text])
    .map(([piece]) => piece)
    .join("");

/** Text that is made of what Markdown is made of. */
const markdown = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "*",
          "**",
          "_",
          "__",
          "`",
          "```",
          "~~~",
          "#",
          "##",
          "-",
          "+",
          ">",
          "1.",
          "[",
          "](",
          ")",
          "\\",
        ),
      },
      { weight: 2, arbitrary: fc.constantFrom(" ", "  ", "\n", "\n\n", "\r\n", "\t", "    ") },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "a",
          "word",
          "two words",
          "é",
          "漢字",
          "👩‍💻",
          "---",
          "***",
          "x_y_z",
          "u.v",
          "\u001B[31m",
        ),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

const chunked = markdown.chain((text) =>
  fc.array(fc.nat({ max: Math.max(0, text.length) }), { maxLength: 12 }).map((cuts) => {
    const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
    return { text, chunks: places.slice(1).map((place, index) => text.slice(places[index], place)) };
  }),
);

describe("markdown that is streamed", () => {
  test("looks the same in whatever pieces it comes", () => {
    fc.assert(
      fc.property(chunked, ({ text, chunks }) => {
        expect(render(chunks)).toEqual(render([text]));
      }),
      { numRuns: 1500 },
    );
  });

  test("is broken into the same lines in whatever pieces it comes", () => {
    fc.assert(
      fc.property(chunked, fc.integer({ min: 1, max: 30 }), ({ text, chunks }, columns) => {
        expect(wrap(chunks, columns)).toBe(wrap([text], columns));
      }),
      { numRuns: 500 },
    );
  });

  test("keeps every letter of text without marks", () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll(/[^a-z\n ]/gi, "")),
        (text) => {
          expect(plain(text)).toBe(text);
        },
      ),
    );
  });

  test("styles headings, emphasis, code, links, lists, quotes and rules", () => {
    expect(render(["# Title\n"])).toEqual([
      ["Title", "bold+cyan"],
      ["\n", ""],
    ]);
    expect(render(["a **b *c*** `d` [e](http://f)"])).toEqual([
      ["a ", ""],
      ["b ", "bold"],
      ["c", "bold+italic"],
      [" ", ""],
      ["d", "cyan"],
      [" ", ""],
      ["e", "underline"],
      [" (http://f)", "dim"],
    ]);
    expect(plain("- a\n  * b\n3) c\n> q\n---\n")).toBe("• a\n  • b\n3) c\n│ q\n────────────────────────\n");
  });

  test("shows code between fences as it is, without the fences", () => {
    expect(render(["```ts\nconst a = **b**;\n```\nafter"])).toEqual([
      ["  const a = **b**;", "cyan"],
      ["\nafter", ""],
    ]);
    expect(plain("~~~\n```\n~~~\n")).toBe("  ```\n");
  });

  test("leaves marks alone that are no marks", () => {
    for (const text of [
      "2 * 3 * 4",
      "snake_case_name",
      "a ** b",
      "[ ] open",
      "5 *args",
      "``",
      "C:\\dir",
      "#hashtag",
      "1.5",
    ]) {
      expect(plain(text)).toBe(text);
    }
  });

  test("shows the beginning of a line before its end has come", () => {
    const stream = new MarkdownStream();
    const soFar = (text: string): string =>
      stream
        .push(text)
        .map((piece) => piece.text)
        .join("");
    expect([soFar("Hello"), soFar(" wor"), soFar("ld, **bo"), soFar("ld** "), soFar("`x")]).toEqual([
      "Hello",
      " wor",
      "ld, ",
      "bold ",
      "",
    ]);
  });

  test("gives up on a style that is not closed in sight", () => {
    const text = `*${"word ".repeat(200)}*`;
    const stream = new MarkdownStream();
    expect(
      stream
        .push(text.slice(0, 600))
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text.slice(0, 600));
  });
});

describe("words on lines", () => {
  test("go on below the text of their list entry", () => {
    expect(wrap(["- one two three four\n"], 12)).toBe("• one two\n  three four\n");
  });

  test("are never lost, however narrow the terminal is", () => {
    expect(wrap(["longer than that"], 3)).toBe("longer\nthan\nthat");
  });
});
