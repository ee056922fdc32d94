import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hasKnownJson, itemsJson, jsonBytes, jsonOf, keepJson } from "./known-json.ts";

test("data with kept lists is written as JSON.stringify writes it", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (list, rest) => {
      keepJson(
        list,
        list.map((item) => JSON.stringify(item)),
      );
      const data = { ...rest, list, none: undefined };
      const json = JSON.stringify(data);
      expect([hasKnownJson(data), jsonOf(data), jsonBytes(data)]).toEqual([true, json, Buffer.byteLength(json)]);
    }),
  );
});

test("a copy of a list is written anew", () => {
  const list = [1, 2];
  keepJson(list, ["1", "2"]);
  expect([itemsJson(list), itemsJson([...list]), hasKnownJson({ list: [...list] })]).toEqual([
    ["1", "2"],
    undefined,
    false,
  ]);
});
