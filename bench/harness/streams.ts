import { readdirSync, readFileSync } from "node:fs";
import type { HarnessId } from "claw-contract";

const RECORDINGS = new URL("../../test/fixtures/harness/recordings/", import.meta.url);

/** What a pipe usually hands over at a time. */
const CHUNK_BYTES = 64 * 1024;
/** What is repeated, so that a stream of any size takes little memory. */
const PIECE_BYTES = 4 * 1024 * 1024;
const SHORT_BYTES = 120;

/** A stream of one agent, of any size. */
export interface Stream {
  readonly name: string;
  readonly harness: HarnessId;
  readonly bytes: number;
  /** The stream as a pipe would hand it over. */
  chunks(): Generator<Uint8Array>;
}

function linesOf(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(folder, RECORDINGS))
      .filter((file) => file.endsWith(".ndjson"))
      .flatMap((file) => readFileSync(new URL(`${folder}/${file}`, RECORDINGS), "utf8").split("\n"))
      .filter((line) => line !== ""),
  );
}

/** Lines repeated until they are as many bytes as asked for. */
export function streamOf(name: string, harness: HarnessId, lines: readonly string[], bytes: number): Stream {
  const once = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const piece = Buffer.concat(Array.from({ length: Math.ceil(PIECE_BYTES / once.length) }, () => once));
  const pieces = Math.ceil(bytes / piece.length);
  return {
    name,
    harness,
    bytes: pieces * piece.length,
    *chunks() {
      for (let count = 0; count < pieces; count += 1) {
        for (let at = 0; at < piece.length; at += CHUNK_BYTES) yield piece.subarray(at, at + CHUNK_BYTES);
      }
    },
  };
}

/** Short messages of Claude Code, whose own recordings hold none. */
const SHORT_CLAUDE = [
  '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Here are five venues near you."}]}}',
  '{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"a":1}}]}}',
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}',
];

const isShort = (line: string): boolean => Buffer.byteLength(line) <= SHORT_BYTES;

/** What real agents wrote, repeated. */
export const recordedStreams = (bytes: number): Stream[] => [
  streamOf("recordings of Claude Code", "claude-code", linesOf("claude", "claude-2.1.197"), bytes),
  streamOf("recordings of Codex", "codex", linesOf("codex"), bytes),
];

/** Lines so short that what is done for each of them weighs most. */
export const shortStreams = (bytes: number): Stream[] => [
  streamOf("short lines of Claude Code", "claude-code", SHORT_CLAUDE, bytes),
  streamOf("short lines of Codex", "codex", linesOf("codex").filter(isShort), bytes),
];
