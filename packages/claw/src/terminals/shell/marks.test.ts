import { describe, expect, test } from "vitest";
import type { ShellMark } from "./marks.ts";
import { createMarkReader, markBegin } from "./marks.ts";

const NONCE = "0123456789abcdef";
const START = markBegin(NONCE);
const STREAM = `$ ${START}B\u0007ls${START}C;ls \\\\ ü;x\\ny\u0007out\u001b[0m\u001b]6973;forged;D;0\u0007${START}D;3\u0007end\u001b`;

function read(...chunks: readonly Buffer[]): [string, { at: number; mark: ShellMark }[]] {
  const output: Buffer[] = [];
  const marks: { at: number; mark: ShellMark }[] = [];
  const length = (): number => Buffer.concat(output).length;
  const reader = createMarkReader(NONCE, {
    output: (bytes) => output.push(bytes),
    mark: (mark) => marks.push({ at: length(), mark }),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.release();
  return [Buffer.concat(output).toString(), marks];
}

describe("marks of a shell", () => {
  const whole = read(Buffer.from(STREAM));

  test("are taken out of its output, each where it stood, and forged ones are left in it", () => {
    const output = `$ lsout\u001b[0m\u001b]6973;forged;D;0\u0007end\u001b`;
    expect(whole).toEqual([
      output,
      [
        { at: 2, mark: { kind: "prompt" } },
        { at: 4, mark: { kind: "start", command: "ls \\ ü;x\ny" } },
        { at: Buffer.byteLength(output) - 4, mark: { kind: "end", exitCode: 3 } },
      ],
    ]);
  });

  test("are the same wherever the output was cut", () => {
    const bytes = Buffer.from(STREAM);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(whole);
    }
    expect(read(...Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole);
  });

  test("that never end are output", () => {
    const [output, marks] = read(Buffer.from(START), Buffer.alloc(300_000, "x"), Buffer.from("y\u0007z"));
    expect([output, marks]).toEqual([`${"x".repeat(300_000)}y\u0007z`, []]);
  });

  test("may be so long, and not a byte longer", () => {
    const longest = 256 * 1024;
    const command = "x".repeat(longest - `${START}C;`.length);
    const [output, marks] = read(Buffer.from(`${START}C;${command}`), Buffer.from("\u0007z"));
    expect([output, marks]).toEqual(["z", [{ at: 0, mark: { kind: "start", command } }]]);
    const over = read(Buffer.from(`${START}C;${command}x`), Buffer.from("\u0007z"));
    expect(over).toEqual([`C;${command}x\u0007z`, []]);
  });

  test.each([
    ["D;0", { kind: "end", exitCode: 0 }],
    ["D;255", { kind: "end", exitCode: 255 }],
    ["D;1000", { kind: "end", exitCode: null }],
    ["D;-1", { kind: "end", exitCode: null }],
    ["D", { kind: "end", exitCode: null }],
    ["C;", { kind: "start", command: "" }],
    ["B;x", { kind: "prompt" }],
  ])("mean what they say: %s", (text, mark) => {
    expect(read(Buffer.from(`${START}${text}\u0007`))).toEqual(["", [{ at: 0, mark }]]);
  });

  test("that nobody knows are taken out all the same", () => {
    expect(read(Buffer.from(`a${START}E;1\u0007b`))).toEqual(["ab", []]);
  });
});

test("what may be a mark is held back, and let go as output unless it is one without doubt", () => {
  const output: string[] = [];
  const reader = createMarkReader(NONCE, {
    output: (bytes) => output.push(bytes.toString()),
    mark: () => expect.unreachable(),
  });
  expect(reader.holds()).toBe(false);
  reader.push(Buffer.from(`a${START.slice(0, -1)}`));
  expect([output, reader.holds()]).toEqual([["a"], true]);
  reader.release();
  reader.release();
  expect([output, reader.holds()]).toEqual([["a", START.slice(0, -1)], false]);
  reader.push(Buffer.from(`b${START}`));
  reader.release();
  expect([output.slice(2), reader.holds()]).toEqual([["b"], true]);
});
