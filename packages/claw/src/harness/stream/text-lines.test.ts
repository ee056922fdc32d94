import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTextLines } from "./text-lines.ts";

function linesOf(chunks: readonly Uint8Array[], maxLineBytes = 1000) {
  const lines = createTextLines(maxLineBytes);
  return [...chunks.flatMap((chunk) => lines.push(chunk)), ...lines.end()];
}

describe("lines as text", () => {
  test("end at LF and nowhere else", () => {
    expect(linesOf([Buffer.from("one\u2028one\r\n\ntwo\rtwo\nend")])).toEqual([
      "one\u2028one\r",
      "",
      "two\rtwo",
      "end",
    ]);
  });

  test("hold a replacement character for bytes that are none", () => {
    expect(linesOf([Buffer.from([0x61, 0xe2, 0x82, 0x0a, 0xff, 0x0a, 0x62, 0x0a])])).toEqual([
      "a\ufffd",
      "\ufffd",
      "b",
    ]);
  });

  test("too long are known by their length alone", () => {
    expect(linesOf([Buffer.from("12345\n123456\nok\n1234567")], 5)).toEqual([
      "12345",
      { bytes: 6 },
      "ok",
      { bytes: 7 },
    ]);
  });

  test("are the same however the bytes are cut into chunks", () => {
    const alphabet = fc.constantFrom(0x0a, 0x0d, 0x61, 0xe2, 0x82, 0xac, 0xff);
    const stream = fc.array(alphabet, { maxLength: 200 }).map((list) => Uint8Array.from(list));
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 200 })), fc.integer({ min: 1, max: 40 }), (whole, cuts, max) => {
        const bounds = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const chunks = bounds.slice(1).map((end, index) => whole.slice(bounds[index], end));
        expect(linesOf(chunks, max)).toEqual(linesOf([whole], max));
      }),
    );
  });

  test("stand where their bytes stand, in runs that are the stream again", () => {
    const line = fc.oneof(
      fc.nat({ max: 3000 }).map((size) => "x".repeat(size)),
      fc.nat({ max: 900 }).map((size) => "é€\u2028".repeat(size)),
      fc.constantFrom("", "\r", "a\u0000b"),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean(), (given, isEnded) => {
        const text = given.join("\n") + (isEnded ? "\n" : "");
        const lines = createTextLines(1_000_000);
        const runs = lines.pushRuns(Buffer.from(text));
        expect([...runs.flatMap((run) => run.lines), ...lines.end()]).toEqual(
          text.split("\n").slice(0, text.endsWith("\n") || text === "" ? -1 : undefined),
        );
        const plain = runs.filter((run) => run.ascii !== null);
        expect(plain.map((run) => Buffer.from(run.ascii ?? "").toString("latin1"))).toEqual(
          plain.map((run) => run.lines.join("\n")),
        );
      }),
    );
  });
});
