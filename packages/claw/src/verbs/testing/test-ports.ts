import { join } from "node:path";
import { createRedactor, LIMITS } from "claw-contract";
import { nodeFileSystem } from "../../files/index.ts";
import { createMemoryStage } from "../../fake-agent/testing/memory-stage.ts";
import { createSessionStore } from "../../sessions/index.ts";
import type { Ports, StandardInput } from "../runtime/handle.ts";
import { createNoteTaker } from "../runtime/note-taker.ts";
import type { Paint } from "../runtime/paint.ts";

/** Standard input that holds a text, or a terminal where nobody types. */
export const textInput = (text?: string): StandardInput => ({
  isTerminal: () => text === undefined,
  isPiped: () => text !== undefined,
  chunks: async function* () {
    if (text !== undefined) yield Buffer.from(text);
  },
});

/** The ports of a call in the given folder: real files, a home inside it, and nothing of the developer's own. */
export function createTestPorts(cwd: string, more: Partial<Ports> = {}): Ports {
  return {
    cwd,
    env: { HOME: join(cwd, "home"), PATH: process.env["PATH"] },
    stdin: textInput(),
    live: null,
    terminal: null,
    openScreen: null,
    openRawTerminal: null,
    files: nodeFileSystem,
    sessions: createSessionStore(nodeFileSystem, { cwd, lockWaitMs: 0 }),
    notes: createNoteTaker(),
    redactor: createRedactor(),
    toolVersion: "0.1.0",
    program: ["claw"],
    streaming: false,
    forPeople: false,
    emit: () => Promise.resolve(),
    announce: () => undefined,
    stage: createMemoryStage(),
    openMcp: () => Promise.reject(new Error("this call has no MCP server")),
    format: { source: "default", raw: null, overridden: [] },
    timeoutSeconds: null,
    maxAnswerBytes: LIMITS.answerBytes,
    verbose: false,
    signal: new AbortController().signal,
    ...more,
  };
}

export { PLAIN_PAINT as PLAIN } from "../runtime/paint.ts";

const mark =
  (name: string) =>
  (text: string): string =>
    `<${name}>${text}</${name}>`;

/** Colours that can be read. */
export const MARKED: Paint = {
  bold: mark("bold"),
  dim: mark("dim"),
  red: mark("red"),
  green: mark("green"),
  yellow: mark("yellow"),
  cyan: mark("cyan"),
  columns: Infinity,
};
