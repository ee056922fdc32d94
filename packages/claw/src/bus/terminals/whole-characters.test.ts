import { describe, expect, test } from "vitest";
import { brokenEnd, brokenStart } from "./whole-characters.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text);

describe("bytes of a text that was cut anywhere", () => {
  test.each(["a", "ü", "€", "😀"])("are short of nothing but what is missing of %s", (character) => {
    const whole = bytesOf(`x${character}`);
    for (let cut = 1; cut < whole.length; cut += 1) {
      expect(brokenEnd(whole.subarray(0, cut))).toBe(cut - 1);
      const rest = bytesOf(`${character}y`).subarray(cut);
      expect(brokenStart(rest)).toBe(whole.length - 1 - cut);
    }
    expect([brokenEnd(whole), brokenStart(whole)]).toEqual([0, 0]);
  });

  test("are left alone when they are no text", () => {
    for (const bytes of [[], [0x80, 0x80, 0x80, 0x80, 0x80], [0xff], [0xc3, 0xc3, 0x28]]) {
      expect([brokenEnd(Uint8Array.from(bytes)), brokenStart(Uint8Array.from(bytes))]).toEqual([0, 0]);
    }
  });
});
