import { objectOf, parseObject, arrayOf } from "claw-contract";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { LifeParts } from "../worker-life.ts";
import type { AgentSession } from "./agent-session.ts";

/** How many bytes at the end of a transcript are searched. */
const TAIL_BYTES = 512 * 1024;

function readTail(path: string): string {
  try {
    const fd = openSync(path, "r");
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length)).toString();
    } finally {
      closeSync(fd);
    }
  } catch {
    // The agent keeps no readable transcript.
    return "";
  }
}

/** The text of a message by the agent; empty for any other line. The first line of the tail may be incomplete. */
function textIn(line: string): string {
  const { type, message } = parseObject(line) ?? {};
  if (type !== "assistant") return "";
  return arrayOf(objectOf(message)["content"])
    .map(objectOf)
    .flatMap(({ type: kind, text }) => (kind === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}

/** The agent's last text in a transcript of Claude Code. */
export function lastTextIn(transcript: string): string {
  return (
    transcript
      .split("\n")
      .toReversed()
      .map(textIn)
      .find((text) => text.trim() !== "") ?? ""
  );
}

/** The agent's last text: from its report, from its transcript, or from the terminal's screen. Never rejects. */
export async function lastWords(life: LifeParts, session: AgentSession, terminalId: string | null): Promise<string> {
  const { lastText, transcript } = session;
  if (lastText !== null) return lastText;
  const written = transcript === null ? "" : lastTextIn(readTail(transcript));
  if (written !== "" || terminalId === null) return written;
  try {
    const { text } = await life.worker.request("worker.terminal", { terminalId, screen: true });
    return text ?? "";
  } catch (error) {
    life.log(`the last screen is not known: ${String(error)}`);
    return "";
  }
}
