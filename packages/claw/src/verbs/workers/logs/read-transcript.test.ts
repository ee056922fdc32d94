import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { readTranscript } from "./read-transcript.ts";

type Range = Parameters<typeof readTranscript>[0]["range"];

const says = (text: string) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
});
const calls = (id: string, command: string, parent?: string) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
  ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
});
const gives = (id: string, content: string, parent?: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  ...(parent === undefined ? {} : { parent_tool_use_id: parent }),
});

function transcriptOf(lines: readonly unknown[]): string {
  const path = join(temporaryFolder(onTestFinished), "transcript.jsonl");
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}

async function read(path: string, range: Range = "newest", limit = 200) {
  const part = await readTranscript({ path, harness: "claude-code", range, limit, redact: (text) => text });
  if (part === null) throw new Error("there is no transcript");
  return part;
}

const textsIn = ({ items }: Awaited<ReturnType<typeof read>>): string[] => items.map(({ text }) => text);

test("a call and its result have the same id, and a sub-agent's work names the call of the sub-agent", async () => {
  const path = transcriptOf([
    calls("a", "look"),
    calls("a1", "ls", "a"),
    calls("b", "date"),
    gives("a1", "two\nfiles", "a"),
    gives("b", "now"),
  ]);
  const { items } = await read(path);
  expect(items.map(({ kind, text, call, agent }) => [kind, text, call, agent])).toEqual([
    ["tool", "● Bash: look", "a", undefined],
    ["tool", "● Bash: ls", "a1", "a"],
    ["tool", "● Bash: date", "b", undefined],
    ["result", "  └ two\n    files", "a1", "a"],
    ["result", "  └ now", "b", undefined],
  ]);
});

test("parts backwards and parts forwards tell the whole transcript, each item once", async () => {
  const said = fc.array(fc.string({ maxLength: 300, unit: "grapheme" }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(said, fc.integer({ min: 1, max: 7 }), async (texts, limit) => {
      const path = transcriptOf(texts.map((text, index) => says(`${index} ${text}`)));
      const whole = await read(path, "newest", 1000);
      const back: string[] = [];
      for (let part = await read(path, "newest", limit); ; part = await read(path, { before: part.first }, limit)) {
        back.unshift(...textsIn(part));
        if (!part.hasOlder) break;
      }
      const forth: string[] = [];
      for (let part = await read(path, { after: 0 }, limit); ; part = await read(path, { after: part.next }, limit)) {
        forth.push(...textsIn(part));
        if (!part.hasNewer) break;
      }
      expect([back, forth]).toEqual([textsIn(whole), textsIn(whole)]);
      expect(whole.items).toHaveLength(texts.length);
    }),
    { numRuns: 50 },
  );
});

test("a line that is not finished is read when it is, from the position where the last part ended", async () => {
  const path = transcriptOf([says("one")]);
  const line = JSON.stringify(says("two"));
  appendFileSync(path, line.slice(0, 20));
  const part = await read(path);
  appendFileSync(path, `${line.slice(20)}\n`);
  expect([textsIn(part), part.hasNewer, textsIn(await read(path, { after: part.next }))]).toEqual([
    ["one"],
    false,
    ["two"],
  ]);
});

test("long items are cut, and a part of many long items ends early", async () => {
  const path = transcriptOf([
    says("x".repeat(LIMITS.transcriptItemChars + 1)),
    ...Array.from({ length: 30 }, () => says("y".repeat(60_000))),
  ]);
  const part = await read(path, { after: 0 });
  expect(part.items[0]).toMatchObject({ cut: true });
  expect(part.items[0]?.text).toHaveLength(LIMITS.transcriptItemChars);
  expect([part.hasNewer, part.items.length < 20]).toEqual([true, true]);
});

test("lines that are no events, empty lines and positions beyond the end do no harm", async () => {
  const path = transcriptOf(["{", "", "\u001b[31mred\u001b[0m", says("done")]);
  expect(textsIn(await read(path))).toEqual(["(no event: {)", "(no event: red)", "done"]);
  expect(await read(path, { after: 1e15 })).toMatchObject({ items: [], hasNewer: false, hasOlder: true });
  expect(await read(path, { before: 0 })).toMatchObject({ items: [], hasOlder: false });
  expect(await read(transcriptOf([]))).toEqual({
    items: [],
    first: 0,
    next: 0,
    hasOlder: false,
    hasNewer: false,
    bytes: 0,
  });
});

test("a transcript that is not there, a link and a folder are not read", async () => {
  const folder = temporaryFolder(onTestFinished);
  const asked = { harness: "claude-code", range: "newest", limit: 1, redact: (text: string) => text } as const;
  expect(await readTranscript({ ...asked, path: join(folder, "none") })).toBeNull();
  mkdirSync(join(folder, "folder"));
  expect(await readTranscript({ ...asked, path: join(folder, "folder") })).toBeNull();
  symlinkSync(transcriptOf([says("secret")]), join(folder, "link"));
  await expect(readTranscript({ ...asked, path: join(folder, "link") })).rejects.toThrow("ELOOP");
});

test("secrets are masked", async () => {
  const path = transcriptOf([says("the key is hunter2")]);
  const redact = (text: string): string => text.replaceAll("hunter2", "***");
  const part = await readTranscript({ path, harness: "claude-code", range: "newest", limit: 9, redact });
  expect(part?.items.map(({ text }) => text)).toEqual(["the key is ***"]);
});
