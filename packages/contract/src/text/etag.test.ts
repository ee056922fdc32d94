import * as fc from "fast-check";
import { expect, test } from "vitest";
import { etagOf } from "./etag.ts";

test("a tag is sixteen hexadecimal digits and stays the same between releases", () => {
  expect([null, {}, [], "a", { a: 1, b: [true, null] }].map((value) => etagOf(value))).toMatchInlineSnapshot(`
    [
      "1e03eb60c904a8b4",
      "bee184b8c2a29a5e",
      "25b2bb8fec564281",
      "0358bd43208426c0",
      "073bae336cd2190c",
    ]
  `);
});

test("the order of members does not matter, that of items does", () => {
  expect(etagOf({ a: 1, b: { c: 2, d: 3 } })).toBe(etagOf({ b: { d: 3, c: 2 }, a: 1 }));
  expect(etagOf([1, 2])).not.toBe(etagOf([2, 1]));
});

test("a member that JSON leaves out changes nothing", () => {
  expect(etagOf({ a: 1, b: undefined })).toBe(etagOf({ a: 1 }));
  expect(etagOf(undefined)).toBe(etagOf(null));
});

test("a member called __proto__ counts", () => {
  expect(etagOf(JSON.parse('{"__proto__":1}'))).not.toBe(etagOf({}));
});

test("a value and its copy through JSON have one tag", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(etagOf(JSON.parse(JSON.stringify(value)))).toBe(etagOf(value));
      expect(etagOf(value)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
});

test("many similar values have as many tags", () => {
  const tags = new Set<string>();
  for (let number = 0; number < 100_000; number++) tags.add(etagOf({ id: number, text: `item ${number % 10}` }));
  expect(tags.size).toBe(100_000);
});

test("each half of the tag tells similar values apart", () => {
  const halves = [new Set<string>(), new Set<string>()] as const;
  for (let number = 0; number < 5_000; number++) {
    const tag = etagOf([number]);
    halves[0].add(tag.slice(0, 8));
    halves[1].add(tag.slice(8));
  }
  expect(halves.map((half) => half.size)).toEqual([5_000, 5_000]);
});
