import { join } from "node:path";
import type { SessionTotals, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { SessionEntry } from "../../sessions/index.ts";
import { EMPTY_TOTALS } from "../../sessions/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { relativePath } from "./session-answer.ts";
import { plural } from "../text/text-layout.ts";

type Output = VerbOutput<"flush-transcript">;

function flushOutput(
  ports: Ports,
  session: { id: string; path: string },
  outcome: { totals: SessionTotals; flushed: boolean; effect: Output["effect"] },
): Output {
  return {
    session_id: session.id,
    path: relativePath(ports, session.path),
    flushed: outcome.flushed,
    messages_count: outcome.totals.messages,
    input_tokens: outcome.totals.input_tokens,
    output_tokens: outcome.totals.output_tokens,
    effect: outcome.effect,
  };
}

async function readTotals(entry: SessionEntry, dryRun: boolean, ports: Ports): Promise<SessionTotals> {
  return (await ports.sessions.read(entry, { signal: ports.signal, unchanged: dryRun })).totals;
}

/** The id a reference names; `latest` must name something. */
const idOf = (ref: string, ports: Ports): string =>
  ports.sessions.idToResume(ref) ?? ports.sessions.findToResume(ref).id;

/** The session of an id, or undefined when there is none. */
function findIfThere(id: string, ports: Ports): SessionEntry | undefined {
  try {
    return ports.sessions.find(id);
  } catch (error) {
    if (error instanceof ClawError && error.code === "SESSION_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Without a prompt there is nothing to add: what is stored is forced to disk. */
async function syncOnly(sessionId: string | undefined, dryRun: boolean, ports: Ports): Promise<Output> {
  if (sessionId === undefined) {
    throw new ClawError("MISSING_ARGUMENT", "PROMPT or --session-id is missing", {
      operation: "parse_arguments",
      target: "PROMPT",
      hint: 'Give a prompt to store, as in: claw flush-transcript "hello"',
    });
  }
  const entry = ports.sessions.find(sessionId);
  const totals = await readTotals(entry, dryRun, ports);
  if (!dryRun) ports.sessions.sync(entry);
  return flushOutput(ports, entry, { totals, flushed: !dryRun, effect: "noop" });
}

/** What storing the prompt would do, without doing it. A session that would be new has no name yet. */
async function preview(sessionId: string | undefined, ports: Ports): Promise<Output> {
  const { directory } = ports.sessions;
  const id = sessionId === undefined ? undefined : idOf(sessionId, ports);
  const known = id === undefined ? undefined : findIfThere(id, ports);
  if (known !== undefined) {
    const totals = await readTotals(known, true, ports);
    const after = { ...totals, messages: totals.messages + 1 };
    const updated = flushOutput(ports, known, { totals: after, flushed: false, effect: "would_update" });
    return { ...updated, would_affect: [known.path] };
  }
  const place = id === undefined ? { id: "(new)", path: directory } : { id, path: join(directory, `${id}.jsonl`) };
  const totals = { ...EMPTY_TOTALS, messages: 1 };
  return {
    ...flushOutput(ports, place, { totals, flushed: false, effect: "would_create" }),
    would_affect: [place.path],
  };
}

async function storePrompt(prompt: string, sessionId: string | undefined, ports: Ports): Promise<Output> {
  const id = sessionId === undefined ? undefined : idOf(sessionId, ports);
  const message = {
    role: "user" as const,
    blocks: [{ type: "text" as const, text: ports.redactor.redactText(prompt) }],
  };
  const { id: stored, path, created, totals, repair } = await ports.sessions.appendTurn(id, [message], ports.signal);
  if (repair.kind === "cut") {
    ports.notes.warn(
      `SESSION_TORN_TAIL: the last line was never finished; ${repair.bytes} bytes are in ${repair.kept}`,
    );
  }
  return flushOutput(ports, { id: stored, path }, { totals, flushed: true, effect: created ? "created" : "updated" });
}

export const handler = handle("flush-transcript", {
  run: ({ prompt, sessionId, dryRun }, ports) => {
    if (prompt === undefined) return syncOnly(sessionId, dryRun, ports);
    if (prompt.trim() === "") {
      throw new ClawError("MISSING_PROMPT", "PROMPT is empty", { operation: "parse_arguments", target: "PROMPT" });
    }
    return dryRun ? preview(sessionId, ports) : storePrompt(prompt, sessionId, ports);
  },
  show: ({ session_id, path, messages_count, effect }, paint) =>
    effect.startsWith("would")
      ? `Would store the prompt as message ${messages_count} of ${paint.bold(session_id)}`
      : `Stored in ${paint.bold(session_id)}: ${plural(messages_count, "message")}, on disk in ${path}`,
});
