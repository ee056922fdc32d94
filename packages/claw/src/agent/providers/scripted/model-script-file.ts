import { resolve } from "node:path";
import type { ModelScript } from "claw-contract";
import { ClawError, LIMITS, memberPath } from "claw-contract";
import { readSmallFile } from "../../../files/index.ts";

interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The error for a script that cannot be played. Names the place and the reason. */
export function invalidScript(name: string, problems: readonly Problem[]): ClawError {
  const [first] = problems;
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new ClawError(
    "MODEL_SCRIPT_INVALID",
    `${name} is not a script: ${where}${first?.message ?? "unknown"}${more}`,
    {
      operation: "read_script",
      target: name,
      details: { errors: problems.slice(0, LIMITS.listDefault) },
    },
  );
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch (error) {
    const message = `it is not JSON (${error instanceof Error ? error.message : String(error)})`;
    throw invalidScript(name, [{ path: "", message }]);
  }
}

/** Reads a script. Rejects with MODEL_SCRIPT_NOT_FOUND or MODEL_SCRIPT_INVALID. */
export async function readModelScript(name: string, cwd: string): Promise<ModelScript> {
  const file = readSmallFile(resolve(cwd, name), LIMITS.modelScriptBytes);
  if (file.kind === "unusable") throw invalidScript(name, [{ path: "", message: file.why }]);
  if (file.kind === "absent") {
    throw new ClawError("MODEL_SCRIPT_NOT_FOUND", `there is no script '${name}'`, {
      operation: "read_script",
      target: name,
    });
  }
  const value = parse(name, file.text);
  // Loaded late: no other model needs the schema library.
  const { ModelScript: schema } = await import("claw-contract/schemas");
  const reading = schema.safeParse(value);
  if (reading.success) return reading.data;
  const problems = reading.error.issues.map(({ path, message }) => ({ path: memberPath(path), message }));
  throw invalidScript(name, problems);
}
