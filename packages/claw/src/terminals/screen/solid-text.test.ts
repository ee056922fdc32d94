import headless from "@xterm/headless";
import { expect, onTestFinished, test } from "vitest";
import { solidText } from "./solid-text.ts";

const FAINT = "\u001b[2m";
const INVERSE = "\u001b[7m";
const PLAIN = "\u001b[m";

/** The first line of a screen of ten columns with this output, as it is read with a cursor in some column. */
async function solidLine(output: string, cursorColumn?: number): Promise<string> {
  const emulator = new headless.Terminal({ cols: 10, rows: 2, allowProposedApi: true });
  onTestFinished(() => emulator.dispose());
  await new Promise<void>((resolve) => emulator.write(output, resolve));
  return solidText(emulator.buffer.active.getLine(0), cursorColumn);
}

test("a line that is not there holds nothing", () => expect(solidText(undefined)).toBe(""));

test.each([
  ["text as it is, without blanks at its end", "ab c  ", "ab c"],
  ["blanks where nothing was written", "\u001b[5Gx", "    x"],
  ["blanks for what is faint", `a${FAINT}bc${PLAIN}d`, "a  d"],
  ["nothing where all of it is faint", `${FAINT}a hint`, ""],
  ["two blanks for a faint character of two columns", `${FAINT}漢${PLAIN}x`, "  x"],
  ["a character of two columns once", "漢字x", "漢字x"],
])("a line reads as %s", async (_, output, text) => expect(await solidLine(output)).toBe(text));

test.each([
  ["goes with the faint text behind it", `> ${INVERSE}T${PLAIN}${FAINT}ry${PLAIN}`, 2, ">"],
  ["goes with faint text behind blanks", `> ${INVERSE}T${PLAIN}  ${FAINT}ry${PLAIN}`, 2, ">"],
  ["goes with faint text in the last column", `> ${INVERSE}T${PLAIN}\u001b[10G${FAINT}y`, 2, ">"],
  ["stays with solid text behind it", `> ${INVERSE}T${PLAIN}r${FAINT}y${PLAIN}`, 2, "> Tr"],
  ["stays when nothing is behind it", `> ${INVERSE}T${PLAIN}`, 2, "> T"],
  ["stays when it is not inverted", `> T${FAINT}ry${PLAIN}`, 2, "> T"],
  ["that stands elsewhere is text", `> ${INVERSE}T${PLAIN}${FAINT}ry${PLAIN}`, 3, "> T"],
])("the character below a drawn cursor %s", async (_, output, column, text) => {
  expect(await solidLine(output, column)).toBe(text);
});

test("an inverted character is text where no cursor is", async () => {
  expect(await solidLine(`> ${INVERSE}T${PLAIN}${FAINT}ry${PLAIN}`)).toBe("> T");
});
