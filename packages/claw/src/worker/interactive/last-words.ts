import { fieldsOf } from "@claw/contract";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Shift } from "../shift.ts";
import type { AgentSession } from "./agent-session.ts";

/** How much of a transcript's end is looked through. */
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
    // Agents need not keep transcripts.
    return "";
  }
}

/** The text of a message of the agent; empty for any other line. */
function textIn(line: string): string {
  try {
    const { type, message } = fieldsOf(JSON.parse(line));
    const { content } = fieldsOf(message);
    if (type !== "assistant" || !Array.isArray(content)) return "";
    return content
      .map(fieldsOf)
      .flatMap(({ type: kind, text }) => (kind === "text" && typeof text === "string" ? [text] : []))
      .join("\n");
  } catch {
    // The first line of a tail is half of one.
    return "";
  }
}

/** What the agent said last in a transcript as Claude Code keeps it. */
export function lastTextIn(transcript: string): string {
  return (
    transcript
      .split("\n")
      .toReversed()
      .map(textIn)
      .find((text) => text.trim() !== "") ?? ""
  );
}

/** What an agent said last: as it reported, as its transcript has it, or what its terminal shows. Never rejects. */
export async function lastWords(shift: Shift, session: AgentSession, terminalId: string | null): Promise<string> {
  const { lastText, transcript } = session;
  if (lastText !== null) return lastText;
  const written = transcript === null ? "" : lastTextIn(readTail(transcript));
  if (written !== "" || terminalId === null) return written;
  try {
    const { text } = await shift.worker.request("worker.terminal", { terminalId, screen: true });
    return typeof text === "string" ? text : "";
  } catch (error) {
    shift.log(`the last screen is not known: ${String(error)}`);
    return "";
  }
}
