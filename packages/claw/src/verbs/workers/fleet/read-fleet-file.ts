import { resolve } from "node:path";
import type { FleetFile, FleetProblem } from "claw-contract";
import { checkFleet, ClawError, FLEET_LIMITS, memberPath } from "claw-contract";
import { loadYaml, readSmallFile } from "../../../files/index.ts";

interface PlacedProblem {
  /** Null when the problem has no line, as for a missing file. */
  readonly line: number | null;
  readonly path: string;
  readonly message: string;
}

const problemText = ({ line, path, message }: PlacedProblem): string =>
  [line === null ? "" : `line ${line}`, path, message].filter((part) => part !== "").join(": ");

function fleetFileError(name: string, problems: readonly PlacedProblem[]): ClawError {
  const shown = problems.slice(0, FLEET_LIMITS.problems);
  const more = problems.length > shown.length ? `; and ${problems.length - shown.length} more` : "";
  return new ClawError("FLEET_FILE_INVALID", `${name}: ${shown.map(problemText).join("; ")}${more}`, {
    operation: "read_fleet",
    target: name,
    details: { errors: shown },
  });
}

const nowhere = (message: string): PlacedProblem => ({ line: null, path: "", message });

function readFleetText(path: string, name: string): string {
  const file = readSmallFile(path, FLEET_LIMITS.fileBytes);
  if (file.kind === "text") return file.text;
  throw fleetFileError(name, [nowhere(file.kind === "absent" ? "it is not there" : file.why)]);
}

/** Reads a fleet from its file. Throws FLEET_FILE_INVALID with the problems of the file. */
export async function readFleetFile(name: string, cwd: string): Promise<FleetFile> {
  const text = readFleetText(resolve(cwd, name), name);
  // Loaded late: only this function needs the modules.
  const [{ parseYaml }, { FleetFile: schema }] = await Promise.all([loadYaml(), import("claw-contract/schemas")]);
  const parsed = parseYaml(text);
  if (parsed.kind === "unreadable") {
    const unread = parsed.problems.map((each) => ({ ...each, path: "" }));
    throw fleetFileError(name, unread);
  }
  const placed = ({ path, message }: FleetProblem): PlacedProblem => ({
    line: parsed.lineAt(path),
    path: memberPath(path),
    message,
  });
  const reading = schema.safeParse(parsed.value);
  const problems = reading.success ? checkFleet(reading.data.workers) : reading.error.issues;
  if (reading.success && problems.length === 0) return reading.data;
  throw fleetFileError(name, problems.map(placed));
}
