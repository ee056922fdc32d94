import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBytes, keepJson, keptJson } from "./known-json.ts";

test("the JSON of a kept list is what JSON.stringify writes, and is counted in the data around it", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (list, rest) => {
      keepJson(
        list,
        list.map((item) => JSON.stringify(item)),
      );
      const data = { ...rest, list, none: undefined };
      const json = JSON.stringify(data);
      expect([keptJson(list), jsonBytes(data)]).toEqual([JSON.stringify(list), Buffer.byteLength(json)]);
    }),
  );
});

test("a copy of a list is written anew", () => {
  const list = [1, 2];
  keepJson(list, ["1", "2.0"]);
  expect([keptJson(list), keptJson([...list])]).toEqual(["[1,2.0]", undefined]);
});
