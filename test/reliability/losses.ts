import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { CrashPlan, CrashResult, Sighting } from "./crash-rounds.ts";
import { textsOf } from "./crash-rounds.ts";

interface LogLine {
  readonly topic: string;
  readonly sequence: number;
  readonly payload: { readonly id: string; readonly data: { readonly text: string } };
}

/** The files of a folder's log, one behind the other. */
function readLogText(folder: string): string {
  const directory = join(folder, ".claws", "log");
  const files = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));
  return files
    .toSorted()
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("");
}

/** Whether the copy that `--tee` makes equals the log, byte for byte. */
export const isCopied = (folder: string): boolean =>
  readFileSync(join(folder, ".claws", "events.jsonl"), "utf8") === readLogText(folder);

/** Everything in the files of a folder's log, in order, read without claw. */
export function readLogFiles(folder: string): LogLine[] {
  const lines = readLogText(folder).split("\n");
  if (lines.pop() !== "") throw new Error("the log ends within a line");
  return lines.map((line) => JSON.parse(line) as LogLine);
}

/** Whether a writer's events stand in the log as it published them. */
function isInOrder(stored: readonly Sighting[], writer: number, plan: CrashPlan): boolean {
  const own = stored.filter(({ text }) => text.startsWith(`${writer} `)).map(({ text }) => text);
  return isDeepStrictEqual(own, textsOf(plan, writer));
}

function logProblems(lines: readonly LogLine[], stored: readonly Sighting[], total: number): (string | false)[] {
  const ids = new Set(stored.map(({ id }) => id));
  return [
    lines.some(({ sequence }, index) => sequence !== index + 1) && "sequences of the log do not count up by one",
    stored.length !== total && `${stored.length} of ${total} events are stored`,
    ids.size !== stored.length && `${stored.length - ids.size} events are stored twice`,
  ];
}

/** What is wrong after the crashes; nothing when everybody saw the same and all that was acknowledged is there, once. */
export function lossesOf(result: CrashResult, plan: CrashPlan): string[] {
  const { seen, live, late, acknowledged } = result;
  const writers = Array.from({ length: plan.clients }, (_, writer) => writer);
  const total = writers.flatMap((writer) => textsOf(plan, writer)).length;
  const lines = readLogFiles(plan.folder);
  const stored = lines
    .filter(({ topic }) => topic.startsWith("cmd."))
    .map(({ sequence, payload: { id, data } }) => ({ id, sequence, text: data.text }));
  const texts = new Map(stored.map(({ sequence, text }) => [sequence, text]));
  const missing = acknowledged.filter(({ sequence, text }) => texts.get(sequence) !== text);
  const found = [
    ...logProblems(lines, stored, total),
    missing.length > 0 && `${missing.length} acknowledged events are missing, or are others`,
    ...writers.map((each) => !isInOrder(stored, each, plan) && `events of writer ${each} are out of order`),
    acknowledged.length !== total && `${acknowledged.length} of ${total} events were acknowledged`,
    live === 0 && "nobody saw anything live",
    !isCopied(plan.folder) && "the copy of the log is another",
    ...[...seen, late].map(
      (each, client) => !isDeepStrictEqual(each, stored) && `client ${client} saw another sequence`,
    ),
  ];
  return found.filter((problem) => problem !== false);
}
