import { describe, expect, test } from "vitest";
import { MarkdownStream } from "../packages/claw/src/verbs/agent/chat/markdown-stream.ts";
import { createOutputLines } from "../packages/claw/src/verbs/workers/logs/terminal-source.ts";
import { createMarkReader } from "../packages/claw/src/terminals/shell/marks.ts";
import { createLineFramer, createRedactor } from "../packages/contract/src/index.ts";
import { isTest, readSourceTree } from "./architecture/source-tree.ts";
import { expressionsIn, slowText } from "./linear-time/expressions.ts";
import type { Work } from "./linear-time/growth.ts";
import { growsTooFast, pumped } from "./linear-time/growth.ts";
import { slowPiece, textFunctions } from "./linear-time/text-functions.ts";

const sources = readSourceTree().filter((file) => /^packages\/[^/]+\/src\//.test(file.path) && !isTest(file));

test("work that grows with the square of the length is noticed, work in proportion is not", () => {
  const make = pumped("", "\u001b[m", "");
  expect(growsTooFast((text) => /(?:\u001b\[m)*[%#]$/.test(text), make)).toBeGreaterThan(24);
  expect(growsTooFast((text) => text.replaceAll("\u001b[m", ""), make)).toBeUndefined();
});

test("every regular expression takes time in proportion to the text", { timeout: 300_000 }, () => {
  const expressions = sources.flatMap(expressionsIn);
  expect(expressions.length).toBeGreaterThan(150);
  const slow = expressions.flatMap((expression) => {
    const text = slowText(expression);
    return text === undefined ? [] : [`${expression.where}: ${text}`];
  });
  expect(slow).toEqual([]);
});

/** Functions that are given a short text for one of two. */
const SHORT = new Set([
  // Of `nearest`, which compares words of at most 64 characters.
  "packages/contract/src/text/edit-distance.ts editDistance",
  // A pattern of the user's own settings, and the name of a tool.
  "packages/claw/src/agent/hooks/create-hooks.ts matchesTool",
  "packages/contract/src/text/fits-stars.ts fitsStars",
]);

describe("what is done with texts takes time in proportion to them", () => {
  test("by every exported function of pure code that takes one", { timeout: 300_000 }, async () => {
    const functions = (await textFunctions(sources)).filter(({ where }) => !SHORT.has(where));
    expect(functions.length).toBeGreaterThan(150);
    const slow = functions.flatMap(({ where, work }) => {
      const piece = slowPiece(work);
      return piece === undefined ? [] : [`${where}: ${piece}`];
    });
    expect(slow).toEqual([]);
  });

  const bytewise = (push: (chunk: Buffer) => unknown, text: string): void => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 100) push(bytes.subarray(at, at + 100));
  };

  test.each<[string, Work]>([
    ["redaction", (text) => createRedactor({ secrets: [text.slice(0, 20), "a-secret-of-settings"] }).redactText(text)],
    ["markdown as it comes", (text) => new MarkdownStream().push(text)],
    ["lines of output", (text) => bytewise((chunk) => createOutputLines(false).push(chunk), text)],
    ["marks of shells", (text) => bytewise((chunk) => MARKS.push(chunk), text)],
    ["framed lines", (text) => bytewise((chunk) => createLineFramer({ maxLineBytes: 1_000_000 }).push(chunk), text)],
  ])("by %s", (_, work) => expect(slowPiece(work)).toBeUndefined());
});

const MARKS = createMarkReader("0123456789abcdef", { output: () => undefined, mark: () => undefined });
