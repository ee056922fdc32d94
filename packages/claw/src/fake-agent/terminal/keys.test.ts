import { expect, test } from "vitest";
import { createKeyReader } from "./keys.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a paste is one text, however it is cut, and line ends in it submit nothing", () => {
  const read = createKeyReader();
  const whole = "\u001b[200~one\rtwo é\u001b[201~\r";
  const keys = [...bytes(whole)].flatMap((byte, index, all) => {
    // The sequence that begins it comes in one piece, as terminals send it.
    if (index < 5) return [];
    return read(index === 5 ? Uint8Array.from(all.slice(0, 6)) : Uint8Array.of(byte));
  });
  expect(keys.filter(({ kind }) => kind !== "interrupt")).toEqual([
    { kind: "text", text: "one\ntwo é", pasted: true },
    { kind: "enter" },
  ]);
});

test("typed text, its end, and what takes it back are told apart", () => {
  expect(createKeyReader()(bytes("ab\u007f\r\u0003\u0004\u001b[A\u001b"))).toEqual([
    { kind: "text", text: "ab", pasted: false },
    { kind: "back" },
    { kind: "enter" },
    { kind: "interrupt", hard: true },
    { kind: "end" },
    { kind: "interrupt", hard: false },
  ]);
});
