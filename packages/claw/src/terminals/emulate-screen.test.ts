import { describe, expect, test } from "vitest";
import type { EmulatedScreen } from "./emulate-screen.ts";
import { createScreenEmulator } from "./emulate-screen.ts";

/** The screen of a terminal of 20 columns that has put this out. */
async function look(output: string): Promise<EmulatedScreen> {
  const bytes = Buffer.from(output);
  const emulator = createScreenEmulator({
    total: () => bytes.length,
    read: ({ offset, limit }) => ({ bytes: bytes.subarray(offset, offset + limit), offset, total: bytes.length }),
    sizes: () => [{ offset: 0, cols: 20, rows: 4 }],
  });
  const screen = await emulator.look();
  emulator.close();
  return screen;
}

const [FAINT, INVERTED, PLAIN] = ["\u001b[2m", "\u001b[7m", "\u001b[0m"];

describe("what is drawn faint", () => {
  test("is left out of the solid lines, and its columns stay free", async () => {
    const { lines, solid } = await look(`a ${FAINT}hint${PLAIN} b\r\n漢${FAINT}字${PLAIN}x`);
    expect([lines.slice(0, 2), solid.slice(0, 2)]).toEqual([
      ["a hint b", "漢字x"],
      ["a      b", "漢  x"],
    ]);
  });

  test("includes the character that a cursor is drawn over, and only at the cursor", async () => {
    const placeholder = `> ${INVERTED}T${PLAIN}${FAINT}ry this${PLAIN}`;
    expect((await look(`${placeholder}\u001b[3G`)).solid[0]).toBe(">");
    expect((await look(`${placeholder}\u001b[2G`)).solid[0]).toBe("> T");
    expect((await look(`> ${INVERTED}T${PLAIN}his\u001b[3G`)).solid[0]).toBe("> This");
    expect((await look(`> T${FAINT}his${PLAIN}\u001b[3G`)).solid[0]).toBe("> T");
    expect((await look(`> ${INVERTED}T\u001b[3G`)).solid[0]).toBe("> T");
  });
});

describe("the cursor", () => {
  test.each([
    ["x", false],
    ["\u001b[?25l", true],
    ["\u001b[?25l\u001b[?25h", false],
    ["\u001b[?7;25l", true],
    ["\u001b[?7l", false],
    ["\u001b[25l", false],
    ["\u001b[?25l\u001bc", false],
    ["\u001b[?25l\u001b[!p", false],
  ])("is known to be hidden or not: %j", async (output, isHidden) => {
    expect((await look(output)).cursorHidden).toBe(isHidden);
  });
});
