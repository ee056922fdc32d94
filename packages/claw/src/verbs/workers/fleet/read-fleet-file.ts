import { resolve } from "node:path";
import type { FleetFile, FleetProblem } from "@claw/contract";
import { checkFleet, ClawError, FLEET_LIMITS } from "@claw/contract";
import { loadYaml, readSmallFile } from "../../../files/index.ts";

interface PlacedProblem {
  /** Null when the problem has no line, as for a missing file. */
  readonly line: number | null;
  readonly path: string;
  readonly message: string;
}

/** A place inside the file: `workers[2].mission`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

const problemText = ({ line, path, message }: PlacedProblem): string =>
  [line === null ? "" : `line ${line}`, path, message].filter((part) => part !== "").join(": ");

function invalid(name: string, problems: readonly PlacedProblem[]): ClawError {
  const told = problems.slice(0, FLEET_LIMITS.problems);
  const more = problems.length > told.length ? `; and ${problems.length - told.length} more` : "";
  return new ClawError("FLEET_FILE_INVALID", `${name}: ${told.map(problemText).join("; ")}${more}`, {
    operation: "read_fleet",
    target: name,
    details: { errors: told },
  });
}

const nowhere = (message: string): PlacedProblem => ({ line: null, path: "", message });

function readText(path: string, name: string): string {
  const file = readSmallFile(path, FLEET_LIMITS.fileBytes);
  if (file.kind === "text") return file.text;
  throw invalid(name, [nowhere(file.kind === "absent" ? "it is not there" : file.why)]);
}

/** Reads a fleet from its file. Throws FLEET_FILE_INVALID with the problems of the file. */
export async function readFleetFile(name: string, cwd: string): Promise<FleetFile> {
  const text = readText(resolve(cwd, name), name);
  // Loaded late: only this function needs the modules.
  const [{ parseYaml }, { FleetFile: schema }] = await Promise.all([loadYaml(), import("@claw/contract/schemas")]);
  const parsed = parseYaml(text);
  if (parsed.kind === "unreadable") {
    const unread = parsed.problems.map((each) => ({ ...each, path: "" }));
    throw invalid(name, unread);
  }
  const placed = ({ path, message }: FleetProblem): PlacedProblem => ({
    line: parsed.lineAt(path),
    path: placeOf(path),
    message,
  });
  const reading = schema.safeParse(parsed.value);
  const problems = reading.success ? checkFleet(reading.data.workers) : reading.error.issues;
  if (reading.success && problems.length === 0) return reading.data;
  throw invalid(name, problems.map(placed));
}
