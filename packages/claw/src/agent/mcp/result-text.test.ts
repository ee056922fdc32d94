import { LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resultText } from "./result-text.ts";

test("texts are joined, and what is no text is described in a line", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "audio", data: "AAAAAAAA" },
    { type: "resource", resource: { uri: "file:///a", text: "inside" } },
    { type: "resource", resource: { uri: "file:///b", mimeType: "application/pdf", blob: "AAAA" } },
    { type: "resource_link", uri: "file:///c", name: "c" },
    { type: "hologram" },
    { type: "text", text: "two" },
  ];
  expect(resultText({ content })).toBe(
    [
      "one",
      "[image: image/png, 3 bytes, not shown]",
      "[audio: unknown type, 6 bytes, not shown]",
      "[resource file:///a]",
      "inside",
      "[resource file:///b: application/pdf, 3 bytes, not shown]",
      "[link to c: file:///c]",
      "[content of type hologram, not shown]",
      "two",
    ].join("\n"),
  );
});

test("a structure is JSON, unless a text says the same", () => {
  const structuredContent = { a: 1 };
  const text = (value: string) => [{ type: "text", text: value }];
  expect([
    resultText({ structuredContent }),
    resultText({ structuredContent, content: text('{ "a": 1 }') }),
    resultText({ structuredContent, content: text("a is 1") }),
  ]).toEqual(['{"a":1}', '{ "a": 1 }', 'a is 1\n{"a":1}']);
});

test("a long result is cut, and says by how much", () => {
  const text = resultText({ content: [{ type: "text", text: "x".repeat(LIMITS.mcpResultChars + 5) }] });
  expect(text.slice(LIMITS.mcpResultChars)).toBe("\n[5 more characters are left out]");
});

test("any result is a text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (content, structuredContent) => {
      expect(
        typeof resultText({ content: [content, { type: "resource", resource: content }], structuredContent }),
      ).toBe("string");
    }),
  );
});
