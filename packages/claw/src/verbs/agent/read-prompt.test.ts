import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { StandardInput } from "../runtime/handle.ts";
import { createNoteTaker } from "../runtime/note-taker.ts";
import { readPromptAndContext } from "./read-prompt.ts";
import { textInput } from "../testing/test-ports.ts";

const signal = new AbortController().signal;

const SILENT: StandardInput = {
  isTerminal: () => false,
  isPiped: () => true,
  chunks: async function* () {
    await new Promise(() => undefined);
    yield Buffer.from("");
  },
};

/** Speaks at once, and again only when the time for the first word is long over. */
const SLOW: StandardInput = {
  ...SILENT,
  chunks: async function* () {
    yield Buffer.from("first");
    await new Promise((resolve) => setTimeout(resolve, 50));
    yield Buffer.from(" second");
  },
};

async function read(prompt: string | undefined, stdin: StandardInput, silenceMs?: number) {
  const notes = createNoteTaker();
  const text = await readPromptAndContext(prompt, { stdin, signal, notes }, silenceMs);
  return { text, warnings: notes.notes().warnings };
}

describe("what is piped in beside a prompt", () => {
  test("is its context, marked as what it is", async () => {
    expect(await read("what is it?", textInput("a fox\n"))).toEqual({
      text: "what is it?\n\n<stdin>\na fox\n</stdin>",
      warnings: [],
    });
  });

  test.each(["", " \n"])("%o adds nothing", async (piped) => {
    expect(await read("hi", textInput(piped))).toEqual({ text: "hi", warnings: [] });
  });

  test("is waited for to its end once it has begun", async () => {
    expect((await read("hi", SLOW, 20)).text).toBe("hi\n\n<stdin>\nfirst second\n</stdin>");
  });

  test("that never comes is ignored with a warning", async () => {
    expect(await read("hi", SILENT, 5)).toEqual({
      text: "hi",
      warnings: ["STDIN_IGNORED: nothing came from standard input within 0.005 s"],
    });
    expect(LIMITS.silentPipeMs).toBe(3000);
  });

  test("is refused when it is larger than a prompt may be", async () => {
    const input = textInput("x".repeat(LIMITS.runPromptBytes));
    await expect(read("hi", input)).rejects.toMatchObject({ code: "REQUEST_TOO_LARGE", target: "stdin" });
  });

  test("is not looked for on a terminal", async () => {
    expect(await read("hi", textInput())).toEqual({ text: "hi", warnings: [] });
  });
});

test.each([undefined, "-"])("without a prompt (%o) it is the prompt itself", async (prompt) => {
  expect((await read(prompt, textInput("do it\n"))).text).toBe("do it\n");
});

test("a blank prompt is none, whatever is piped in", async () => {
  await expect(read(" ", textInput("text"))).rejects.toMatchObject({ code: "MISSING_PROMPT" });
});
