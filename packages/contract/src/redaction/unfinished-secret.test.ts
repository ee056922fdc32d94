import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findUnfinished } from "./unfinished-secret.ts";

/** The definition: the first place from which the rest of the text is the beginning of a secret, and not all of it. */
function firstPlace(text: string, secrets: readonly string[]): number {
  for (let at = 0; at < text.length; at += 1) {
    const rest = text.slice(at);
    if (secrets.some((secret) => rest.length < secret.length && secret.startsWith(rest))) return at;
  }
  return text.length;
}

test("a secret that has begun is found where it begins, however it repeats itself", () => {
  const letters = (most: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength: most });
  const secret = fc.tuple(letters(6), fc.constantFrom("a", "b")).map(([head, last]) => head + last);
  fc.assert(
    fc.property(letters(14), fc.array(secret, { maxLength: 3 }), (text, secrets) => {
      expect(findUnfinished(text, secrets)).toBe(firstPlace(text, secrets));
    }),
  );
});

test.each([
  ["", 0],
  ["all is said", 11],
  ["see -----BEG", 4],
  ["see -----BEGIN RSA PRIVATE KEY-----\nMIIE", 4],
  [`see -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n${"x".repeat(80)}`, 151],
])("%j holds back a private key from its beginning on: %i", (text, at) => {
  expect(findUnfinished(text, [])).toBe(at);
});
