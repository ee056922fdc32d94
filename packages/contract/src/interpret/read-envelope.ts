import type { MalformedProblem, ResponseAnomaly } from "./action.ts";
import { isObject, parseJson } from "../json.ts";

/** Longest stdout, in UTF-16 units, that is parsed as an answer. */
export const MAX_RESPONSE_CHARS = 16 * 1024 * 1024;

/** An answer with every field typed; what the sender left out has its stand-in, and `anomalies` says so. */
export interface EnvelopeReading {
  readonly data: unknown;
  /** Null when the answer says null, undefined when there is nothing to be trusted; then `problem` says why. */
  readonly error: Record<string, unknown> | null | undefined;
  readonly problem?: MalformedProblem;
  readonly warnings: readonly string[];
  readonly meta: Record<string, unknown>;
  readonly anomalies: readonly ResponseAnomaly[];
}

/** Reads one answer from stdout. Never throws: what cannot be read comes back as a `problem`. */
export function readEnvelope(stdout: unknown, succeeded: boolean): EnvelopeReading {
  const parsed = parseDocument(stdout);
  if ("problem" in parsed) {
    return { data: null, error: undefined, problem: parsed.problem, warnings: [], meta: {}, anomalies: [] };
  }
  const { document } = parsed;
  const warnings = readWarnings(document["warnings"]);
  const meta = document["meta"];
  const anomalies = [...okAnomalies(document["ok"], succeeded), ...warnings.anomalies];
  if (document["data"] === undefined) anomalies.push("data-absent");
  if (!isObject(meta)) anomalies.push("meta-absent");
  return {
    data: document["data"] ?? null,
    ...readError(document["error"]),
    warnings: warnings.texts,
    meta: isObject(meta) ? meta : {},
    anomalies,
  };
}

type Parsed = { readonly document: Record<string, unknown> } | { readonly problem: MalformedProblem };

function parseDocument(stdout: unknown): Parsed {
  if (typeof stdout !== "string") return { problem: "stdout-empty" };
  if (stdout.length > MAX_RESPONSE_CHARS) return { problem: "stdout-too-large" };
  const text = stdout.trim();
  if (text === "") return { problem: "stdout-empty" };
  const value = parseJson(text);
  if (value === undefined) {
    return { problem: startsWithWholeDocument(text) ? "stdout-several-documents" : "stdout-not-json" };
  }
  return isObject(value) ? { document: value } : { problem: "stdout-not-an-object" };
}

function startsWithWholeDocument(text: string): boolean {
  const lineEnd = text.indexOf("\n");
  return lineEnd > 0 && parseJson(text.slice(0, lineEnd)) !== undefined;
}

function okAnomalies(ok: unknown, succeeded: boolean): ResponseAnomaly[] {
  if (typeof ok !== "boolean") return ["ok-absent"];
  return ok === succeeded ? [] : ["ok-conflicts-with-exit"];
}

function readWarnings(value: unknown): { texts: string[]; anomalies: ResponseAnomaly[] } {
  if (value === undefined || value === null) return { texts: [], anomalies: ["warnings-absent"] };
  if (!Array.isArray(value)) return { texts: [], anomalies: ["warnings-malformed"] };
  const texts = value.filter((item) => typeof item === "string");
  return { texts, anomalies: texts.length === value.length ? [] : ["warnings-malformed"] };
}

function readError(value: unknown): Pick<EnvelopeReading, "error" | "problem"> {
  if (value === undefined) return { error: undefined, problem: "error-absent" };
  if (value === null || isObject(value)) return { error: value };
  return { error: undefined, problem: "error-malformed" };
}
