import { readdirSync, readFileSync } from "node:fs";
import type { HarnessId, JsonObject, RunResult } from "claw-contract";
import type { ExitEvidence } from "../stream/run-reader.ts";

const FOLDER = new URL("../../../../../test/fixtures/harness/recordings/", import.meta.url);

/** A stream as a real agent wrote it, with how its process ended. */
export interface Recording {
  readonly name: string;
  readonly harness: HarnessId;
  readonly bytes: Uint8Array;
  readonly evidence: ExitEvidence;
}

interface Meta {
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  readonly stderr: string;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, FOLDER), "utf8"));

function readRecording(cli: string, scenario: string): Recording {
  const meta = readJson(`${cli}/${scenario}.meta.json`) as Meta;
  // Of dialogues nobody noted the exit.
  const { exit_code: exitCode = 0, signal = null, stderr } = meta;
  return {
    name: `${cli}/${scenario}`,
    harness: cli === "codex" ? "codex" : "claude-code",
    bytes: readFileSync(new URL(`${cli}/${scenario}.ndjson`, FOLDER)),
    evidence: { exitCode, signal, stderr, ended: "by-itself", durationMs: 1500 },
  };
}

export const RECORDINGS: readonly Recording[] = ["claude", "claude-2.1.197", "codex"].flatMap((cli) =>
  readdirSync(new URL(cli, FOLDER))
    .filter((file) => file.endsWith(".ndjson"))
    .map((file) => readRecording(cli, file.slice(0, -".ndjson".length))),
);

/** Every field of the result but the events themselves and the time. */
export type Expected = Omit<RunResult, "raw_messages" | "stream_events" | "duration_seconds">;

/** What the recordings come to, written by hand. */
export const EXPECTED = readJson("expected.json") as Readonly<Record<string, Expected>>;

/** Whether two values are the same; a warning that ends with a colon and a blank stands for all that begin so. */
const sameWarning = (expected: string, actual: string | undefined): boolean =>
  expected === actual || (expected.endsWith(": ") && actual?.startsWith(expected) === true);

/** The fields of a result that were expected, with warnings reduced to what was expected of them. */
export function comparable(result: RunResult, expected: Expected): JsonObject {
  const { raw_messages: _raw, stream_events: _events, duration_seconds: _time, ...fields } = result;
  const warnings = fields.warnings.map((warning, index) => {
    const wanted = expected.warnings[index];
    return wanted !== undefined && sameWarning(wanted, warning) ? wanted : warning;
  });
  return { ...fields, warnings };
}
