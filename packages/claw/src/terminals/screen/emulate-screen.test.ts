import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { createScreenEmulator } from "./emulate-screen.ts";

type Size = { readonly offset: number; readonly cols: number; readonly rows: number };

/** An output in memory, whose oldest bytes may be gone. */
function openOutput(sizes: Size[] = [{ offset: 0, cols: 10, rows: 3 }]) {
  const state = { text: "", oldest: 0, reads: [] as number[] };
  const emulator = () => {
    const made = createScreenEmulator({
      total: () => state.text.length,
      sizes: () => sizes,
      read: ({ offset, limit }) => {
        const from = Math.max(state.oldest, offset);
        state.reads.push(limit);
        return { bytes: Buffer.from(state.text.slice(from, from + limit)), offset: from, total: state.text.length };
      },
    });
    onTestFinished(() => made.close());
    return made;
  };
  return { state, sizes, emulator };
}

test("a screen follows its output to the byte, and says where it is", async () => {
  const { state, emulator } = openOutput();
  const screen = emulator();
  state.text = "a";
  expect(await screen.look()).toMatchObject({ text: "a", offset: 1, exact: true, cursor: { x: 1, y: 0 } });
  state.text += "b\r\n\u001b[?2004h0123456789xy";
  expect(await screen.look()).toMatchObject({
    text: "ab\n0123456789\nxy",
    lines: ["ab", "0123456789", "xy"],
    wrapped: [false, false, true],
    cursor: { x: 2, y: 2 },
    cols: 10,
    rows: 3,
    exact: true,
    offset: state.text.length,
    bracketedPaste: true,
  });
});

test("sizes hold from their offsets on, also at the end of the output", async () => {
  const { state, sizes, emulator } = openOutput([
    { offset: 0, cols: 10, rows: 3 },
    { offset: 5, cols: 4, rows: 2 },
  ]);
  state.text = "abc\r\nefghij";
  const screen = emulator();
  expect(await screen.look()).toMatchObject({ cols: 4, rows: 2, lines: ["efgh", "ij"] });
  expect(state.reads).toEqual([5, 6]);
  sizes.push({ offset: 11, cols: 20, rows: 4 });
  expect(await screen.look()).toMatchObject({ cols: 20, rows: 4 });
});

test.each([
  [{ cols: 10, rows: 5 }, "\u001b[5;1H", { x: 0, y: 4 }],
  [{ cols: 12, rows: 3 }, "\u001b[1;12H", { x: 11, y: 0 }],
])("a change of one dimension alone holds for the output behind it: %j", async (size, toCorner, cursor) => {
  const { state, emulator } = openOutput([
    { offset: 0, cols: 10, rows: 3 },
    { offset: 2, ...size },
  ]);
  state.text = `ab${toCorner}`;
  expect(await emulator().look()).toMatchObject({ ...size, cursor });
});

test("a screen that misses some of its output says so", async () => {
  const { state, emulator } = openOutput();
  state.text = "gone, here";
  state.oldest = 6;
  expect(await emulator().look()).toMatchObject({ text: "here", exact: false, offset: 10 });
  const long = openOutput();
  long.state.text = `${" ".repeat(LIMITS.screenReplayBytes - 1)}x`;
  expect((await long.emulator().look()).exact).toBe(true);
  long.state.text += "y";
  expect((await long.emulator().look()).exact).toBe(false);
});

test("what is drawn makes another terminal look the same", async () => {
  const one = openOutput();
  one.state.text = "red \u001b[31mtext\u001b[m\r\nbelow";
  const { text, screen } = await one.emulator().draw();
  const other = openOutput();
  other.state.text = text;
  expect((await other.emulator().look()).lines).toEqual(screen.lines);
  expect(text).toContain("\u001b[31m");
});
