import { join } from "node:path";
import type { SessionRecord, VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { clawFolder } from "../../files/index.ts";
import type { SessionEntry } from "../../sessions/index.ts";
import { createExportSink } from "./export-sink.ts";
import type { ExportTarget } from "./export-target.ts";
import { requireTarget } from "./export-target.ts";
import { createExportRenderer } from "./export-text.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { plural } from "../text/text-layout.ts";

type Input = VerbInput<"export">;
type Output = VerbOutput<"export">;

const turnOf = (record: SessionRecord): string | undefined =>
  record.type === "message" || record.type === "compaction" ? record.turn_id : undefined;

/** Turns that began and never ended. Their records are stored but do not count. */
async function openTurns(entry: SessionEntry, ports: Ports): Promise<Set<string>> {
  const open = new Set<string>();
  const onRecord = (record: SessionRecord): void => {
    const turn = turnOf(record);
    if (turn !== undefined) open.add(turn);
    if (record.type === "turn_commit") open.delete(record.turn_id);
  };
  await ports.sessions.read(entry, { onRecord, signal: ports.signal });
  return open;
}

type Written = { readonly messages: number } & ({ readonly text: string } | { readonly file: string });

/** The file for an export that is too large for an answer. */
const spillPath = (entry: SessionEntry, format: Input["format"], ports: Ports): string =>
  join(clawFolder(ports.cwd, "exports", ports.files), `${entry.id}.${format === "json" ? "json" : "md"}`);

async function writeExport(
  entry: SessionEntry,
  input: Input,
  target: ExportTarget | undefined,
  ports: Ports,
): Promise<Written> {
  const skipped = input.uncommitted ? new Set<string>() : await openTurns(entry, ports);
  const renderer = createExportRenderer(input.format, entry.id);
  const spill = spillPath(entry, input.format, ports);
  const sink = createExportSink({ files: ports.files, target, spill, maxBytes: ports.maxAnswerBytes });
  let messages = 0;
  const onRecord = (record: SessionRecord): void => {
    const turn = turnOf(record);
    if (turn !== undefined && skipped.has(turn)) return;
    if (record.type === "message") messages += 1;
    sink.write(renderer.next(ports.redactor.redactValue(record)));
  };
  try {
    await ports.sessions.read(entry, { onRecord, signal: ports.signal });
    sink.write(renderer.end());
    return { messages, ...sink.finish() };
  } finally {
    sink.discard();
  }
}

/** Describes an export without writing it. */
async function preview(
  entry: SessionEntry,
  input: Input,
  target: ExportTarget | undefined,
  ports: Ports,
): Promise<Output> {
  const { totals, uncommitted } = await ports.sessions.read(entry, { signal: ports.signal, unchanged: true });
  const messages = totals.messages + (input.uncommitted ? uncommitted : 0);
  const answer = { session_id: entry.id, format: input.format, messages };
  if (target === undefined) return { ...answer, file: null, effect: "noop", would_affect: [] };
  const effect = target.exists ? "would_update" : "would_create";
  return { ...answer, file: target.file, effect, would_affect: [target.file] };
}

/** PATH and --output mean the same; two different files at once cannot be meant. */
function givenTarget({ path, output }: Input): string | undefined {
  if (path === undefined || output === undefined || path === output) return output ?? path;
  throw new ClawError("UNEXPECTED_ARGUMENTS", `PATH and --output name different files`, {
    operation: "parse_arguments",
    target: path,
    hint: "Give only one of them.",
  });
}

async function run(input: Input, ports: Ports): Promise<Output> {
  const given = givenTarget(input);
  const target = given === undefined ? undefined : requireTarget(given, ports.cwd, input.yes);
  const entry = ports.sessions.find(input.sessionId);
  if (input.dryRun) return preview(entry, input, target, ports);
  const written = await writeExport(entry, input, target, ports);
  const answer = { session_id: entry.id, format: input.format, messages: written.messages };
  if ("file" in written) {
    if (target === undefined) {
      ports.notes.cut();
      ports.notes.warn(`ANSWER_TOO_LARGE: the export is in ${written.file}`);
    }
    return { ...answer, file: written.file, effect: target?.exists ? "updated" : "created" };
  }
  const text =
    input.format === "markdown"
      ? { markdown: written.text }
      : { transcript: JSON.parse(written.text) as SessionRecord[] };
  return { ...answer, file: null, ...text, effect: "noop" };
}

export const handler = handle("export", {
  run,
  show: ({ session_id, file, markdown, transcript, messages, effect }, paint) => {
    if (markdown !== undefined) return markdown.trimEnd();
    if (transcript !== undefined) return JSON.stringify(transcript, null, 2);
    const verb = effect.startsWith("would") ? "Would write" : "Wrote";
    if (file === null) return `Would print ${plural(messages, "message")} of ${paint.bold(session_id)}`;
    return `${verb} ${plural(messages, "message")} of ${paint.bold(session_id)} to ${file}`;
  },
});
