import type { SessionTotals, VerbOutput } from "@claw/contract";
import { ClawError } from "@claw/contract";
import type { SessionEntry } from "../sessions/index.ts";
import type { Ports } from "./handle.ts";
import { handle } from "./handle.ts";
import { relativePath } from "./session-answer.ts";
import { plural } from "./text-layout.ts";

type Output = VerbOutput<"flush-transcript">;

function answer(
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

async function readTotals(entry: SessionEntry, ports: Ports): Promise<SessionTotals> {
  return (await ports.sessions.read(entry, { signal: ports.signal })).totals;
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
  const totals = await readTotals(entry, ports);
  if (!dryRun) ports.sessions.sync(entry);
  return answer(ports, entry, { totals, flushed: !dryRun, effect: "noop" });
}

/** What storing the prompt would do, without doing it. */
async function preview(sessionId: string | undefined, ports: Ports): Promise<Output> {
  const id = sessionId === undefined ? undefined : ports.sessions.idOf(sessionId);
  const known = ports.sessions.list().entries.find((entry) => entry.id === id);
  if (known === undefined) {
    const place = { id: id ?? "(new)", path: `${ports.sessions.directory}/${id ?? "(new)"}.jsonl` };
    const totals = { messages: 1, input_tokens: 0, output_tokens: 0 } as SessionTotals;
    return { ...answer(ports, place, { totals, flushed: false, effect: "would_create" }), would_affect: [place.path] };
  }
  const totals = await readTotals(known, ports);
  const after = { ...totals, messages: totals.messages + 1 };
  return {
    ...answer(ports, known, { totals: after, flushed: false, effect: "would_update" }),
    would_affect: [known.path],
  };
}

async function store(prompt: string, sessionId: string | undefined, ports: Ports): Promise<Output> {
  const id =
    sessionId === undefined ? undefined : (ports.sessions.idOf(sessionId) ?? ports.sessions.find(sessionId).id);
  const message = {
    role: "user" as const,
    blocks: [{ type: "text" as const, text: ports.redactor.redactText(prompt) }],
  };
  const { entry, created, totals, repair } = await ports.sessions.appendTurn(id, [message], ports.signal);
  if (repair.kind === "cut") {
    ports.notes.warn(
      `SESSION_TORN_TAIL: the last line was never finished; ${repair.bytes} bytes are in ${repair.kept}`,
    );
  }
  return answer(ports, entry, { totals, flushed: true, effect: created ? "created" : "updated" });
}

export const handler = handle("flush-transcript", {
  run: ({ prompt, sessionId, dryRun }, ports) => {
    if (prompt === undefined) return syncOnly(sessionId, dryRun, ports);
    return dryRun ? preview(sessionId, ports) : store(prompt, sessionId, ports);
  },
  show: ({ session_id, path, messages_count, effect }, paint) =>
    effect.startsWith("would")
      ? `Would store the prompt as message ${messages_count} of ${paint.bold(session_id)}`
      : `Stored in ${paint.bold(session_id)}: ${plural(messages_count, "message")}, on disk in ${path}`,
});
