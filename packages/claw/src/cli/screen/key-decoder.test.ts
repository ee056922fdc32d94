import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyDecoder } from "./key-decoder.ts";

const decode = (...pieces: string[]) => {
  const decoder = new KeyDecoder();
  return [...pieces.flatMap((piece) => decoder.feed(piece)), ...decoder.settle()];
};

const key = (name: string) => ({ kind: "key", name });

describe("keys", () => {
  test("are text, controls and sequences in the order they come", () => {
    expect(decode("hé\r\u001B[A\u001B[1;5C\u0003x\t")).toEqual([
      { kind: "text", text: "hé" },
      key("enter"),
      key("up"),
      key("word-right"),
      key("interrupt"),
      { kind: "text", text: "x" },
      key("tab"),
    ]);
  });

  test("are an Esc when nothing follows one, and the second of two begins anew", () => {
    expect(decode("\u001B")).toEqual([key("escape")]);
    expect(decode("\u001B\u001B[B")).toEqual([key("escape"), key("down")]);
  });

  test("that nobody knows are dropped whole", () => {
    expect(decode("\u001B[99;5~a\u001B]b\u0000c\u001BOZd")).toEqual([
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
      { kind: "text", text: "c" },
      { kind: "text", text: "d" },
    ]);
  });

  test("of a paste are one, with its line ends and whatever looks like keys in it", () => {
    expect(decode("a\u001B[200~one\rtwo\u0003\u001B[A\u001B[201~b")).toEqual([
      { kind: "text", text: "a" },
      { kind: "paste", text: "one\rtwo\u0003\u001B[A" },
      { kind: "text", text: "b" },
    ]);
  });

  test("are the same in whatever pieces they come", () => {
    const parts = fc.constantFrom(
      "a",
      "bc",
      "\r",
      "\u001B[A",
      "\u001B[1;5D",
      "\u001BOC",
      "\u001B[200~x\ry\u001B[201~",
      "\u001B\r",
    );
    const text = (keys: readonly { kind: string; text?: string }[]) =>
      keys.map((one) => (one.kind === "text" ? one.text : JSON.stringify(one))).join("");
    fc.assert(
      fc.property(fc.array(parts), (all) => {
        const input = all.join("");
        expect(text(decode(...input.split("")))).toBe(text(decode(input)));
      }),
    );
  });
});
