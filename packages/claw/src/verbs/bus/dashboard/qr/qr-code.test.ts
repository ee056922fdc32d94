import * as fc from "fast-check";
import jsQR from "jsqr";
import { expect, test } from "vitest";
import type { QrModules } from "./qr-code.ts";
import { qrCode } from "./qr-code.ts";
import { qrText } from "./qr-text.ts";

const QUIET = 4;
const SCALE = 3;

/** What a camera sees: some white around the code, several points for a module. */
function photograph(modules: QrModules): { pixels: Uint8ClampedArray; size: number } {
  const size = (modules.length + 2 * QUIET) * SCALE;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let point = 0; point < size * size; point += 1) {
    const row = Math.floor(point / size / SCALE) - QUIET;
    const column = Math.floor((point % size) / SCALE) - QUIET;
    if (modules[row]?.[column] === true) pixels.fill(0, point * 4, point * 4 + 3);
  }
  return { pixels, size };
}

function readBack(modules: QrModules | undefined): string | undefined {
  const { pixels, size } = photograph(modules ?? []);
  return jsQR.default(pixels, size, size)?.data;
}

/** The modules that a terminal shows: each character is two of them, above each other. */
function modulesOf(shown: string): QrModules {
  const lines = shown.split("\n").map((line) => line.replaceAll(/\u001B\[[\d;]*m/g, ""));
  return lines.flatMap((line) => [
    Array.from(line, (half) => half === "▀" || half === "█"),
    Array.from(line, (half) => half === "▄" || half === "█"),
  ]);
}

test("another program reads any text that fits", () => {
  const text = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 230 });
  const isRead = fc.property(text, (given) => {
    expect(readBack(qrCode(given))).toBe(given);
  });
  fc.assert(isRead);
});

test.each([1, 17, 18, 32, 53, 78, 106, 107, 134, 154, 155, 192, 230])("%i characters are read back", (length) => {
  const text = "https://192.168.1.5:8443/".padEnd(length, "aZ09-_").slice(0, length);
  expect(readBack(qrCode(text))).toBe(text);
});

test("a text that is too long gives no code", () => {
  expect([qrCode("x".repeat(231)), qrText("x".repeat(231), { columns: 200, isColoured: true })]).toEqual([
    undefined,
    "",
  ]);
});

test("a terminal shows the code that the text has, if it is wide enough", () => {
  const link = "https://192.168.1.5:8443/aaaaaaaaaaaaaaaa/enter?code=bbbbbbbbbbbbbbbbbbbbbb";
  const coloured = modulesOf(qrText(link, { columns: 80, isColoured: true }));
  expect(readBack(coloured)).toBe(link);
  expect(Math.max(...coloured.map((row) => row.length))).toBeLessThanOrEqual(80);
  const plain = modulesOf(qrText(link, { columns: 80, isColoured: false }));
  expect(plain.map((row) => row.map((drawn) => !drawn))).toEqual(coloured);
  expect(qrText(link, { columns: 40, isColoured: true })).toBe("");
});
