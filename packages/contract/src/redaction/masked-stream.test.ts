import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createMaskedStream } from "./masked-stream.ts";
import { createRedactor, MASK } from "./redact.ts";

const SECRETS = ["hush-hush-secret", "two words here"];
const KEY = `-----BEGIN PRIVATE KEY-----\n${"QUJD\n".repeat(6)}-----END PRIVATE KEY-----`;
const redactor = createRedactor({ secrets: SECRETS });

/** The pieces as they are shown. */
function shown(pieces: readonly string[]): string[] {
  const stream = createMaskedStream(redactor);
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

test("words are shown as soon as they are whole, and characters of scripts without spaces at once", () => {
  expect(shown(["Hel", "lo the", "re. ", "日本", "語"])).toEqual(["", "Hello ", "there. ", "日本", "語", ""]);
});

test("a secret that comes in pieces is masked, also one with spaces, with a name, or over lines", () => {
  expect(shown(["it is hush-", "hush-sec", "ret now"]).join("")).toBe(`it is ${MASK} now`);
  expect(shown(["say two wo", "rds he", "re again"]).join("")).toBe(`say ${MASK} again`);
  expect(shown(["password", " = ", "hunter22x", "\nnext"]).join("")).toBe(
    redactor.redactText("password = hunter22x\nnext"),
  );
  expect(shown(`a ${KEY} b`.split("")).join("")).not.toContain("QUJD");
});

test("what only began like a secret is shown in the end", () => {
  expect(shown(["two words", " and ", "hush-hu"]).join("")).toBe("two words and hush-hu");
});

const part = fc.oneof(
  fc.constantFrom(...SECRETS, KEY, "sk-ant-abcdefgh12345678", "\n", " ", "ok", "two words", "hush-", "é"),
  fc.string({ maxLength: 6 }),
);

test("however a text is cut, no secret is shown", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join(" ");
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const all = shown(pieces).join("");
      for (const secret of [...SECRETS, "QUJDQUJD", "sk-ant-abcdefgh12345678"]) expect(all).not.toContain(secret);
    }),
  );
});

test("a line without end takes time in proportion to its length", () => {
  const stream = createMaskedStream(redactor);
  let length = 0;
  for (let piece = 0; piece < 4000; piece += 1) length += stream.push("some words ").length;
  expect(length + stream.end().length).toBe(44_000);
});
