import { isoTime } from "claw-contract";
import { createdMs } from "../../sessions/index.ts";
import { handle } from "../runtime/handle.ts";
import { relativePath } from "./session-answer.ts";
import { pairs } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";

export const handler = handle("load-session", {
  run: async ({ sessionId }, ports) => {
    const entry = ports.sessions.find(sessionId);
    const stopped = !ports.sessions.isHeld(entry.id);
    const { meta, totals, uncommitted, tornBytes, repair } = await ports.sessions.read(entry, { signal: ports.signal });
    if (tornBytes > 0 && stopped) {
      const what = repair?.kind === "cut" ? `are in ${repair.kept}` : "are passed over";
      ports.notes.warn(`SESSION_TORN_TAIL: the last line was never finished; ${tornBytes} bytes ${what}`);
    }
    const created = isoTime(createdMs(meta, entry));
    const modified = isoTime(entry.modifiedMs);
    return {
      session_id: entry.id,
      loaded: true,
      directory: relativePath(ports, ports.sessions.directory),
      path: relativePath(ports, entry.path),
      created_at: created,
      last_modified: modified,
      messages_count: totals.messages,
      prompt_count: totals.prompts,
      turns_count: totals.turns,
      uncommitted_count: uncommitted,
      input_tokens: totals.input_tokens,
      output_tokens: totals.output_tokens,
      stopped,
      session: {
        session_id: entry.id,
        id: entry.id,
        path: entry.path,
        created_at: created,
        last_modified: modified,
        updated_at_ms: entry.modifiedMs,
        prompt_count: totals.prompts,
        message_count: totals.messages,
        messages: totals.messages,
        stopped,
      },
    };
  },
  show: (session, paint) =>
    pairs(
      [
        ["session", paint.bold(session.session_id)],
        ["file", session.path],
        ["messages", `${session.messages_count} in ${session.turns_count} turns`],
        ["tokens", `${session.input_tokens} in, ${session.output_tokens} out`],
        ["changed", ago(session.last_modified, Date.now())],
        ["in use", session.stopped ? "no" : "yes"],
      ],
      paint,
    ),
});
