import { resolve } from "node:path";
import type { FakeScenario } from "claw-contract";
import { ClawError, LIMITS, memberPath, nearest } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";

type BuiltIn = Readonly<Record<string, object>>;

/** A scenario that can be played, and where it is from. */
export interface LoadedScenario {
  readonly source: "built-in" | "file";
  readonly scenario: FakeScenario;
}

function notFound(name: string, builtIn: BuiltIn): ClawError {
  const names = Object.keys(builtIn);
  const suggestions = nearest(name, names, { limit: LIMITS.suggestions });
  const close = suggestions.length === 0 ? "" : `Did you mean ${suggestions.join(" or ")}? `;
  return new ClawError("FAKE_SCENARIO_NOT_FOUND", `'${name}' is neither a built-in scenario nor a file`, {
    operation: "read_scenario",
    target: name,
    hint: `${close}Built in: ${names.join(", ")}.`,
    details: { suggestions, built_in: names },
  });
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

function scenarioError(name: string, problems: readonly Problem[]): ClawError {
  const [first] = problems;
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const message = `${name} is no scenario: ${where}${first?.message ?? "unknown"}${more}`;
  return new ClawError("FAKE_SCENARIO_INVALID", message, {
    operation: "read_scenario",
    target: name,
    details: { errors: problems },
  });
}

async function check(name: string, value: unknown): Promise<FakeScenario> {
  // Loaded late: nothing else here needs the schema library.
  const { FakeScenario: schema } = await import("claw-contract/schemas");
  const reading = schema.safeParse(value);
  if (reading.success) return reading.data;
  const problems = reading.error.issues.map(({ path, message }) => ({ path: memberPath(path), message }));
  throw scenarioError(name, problems);
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch (error) {
    const message = `it is not JSON (${error instanceof Error ? error.message : String(error)})`;
    throw scenarioError(name, [{ path: "", message }]);
  }
}

/** Loads a scenario by its name, or from a file. Throws the error that says what is wrong with it. */
export async function loadScenario(name: string, cwd: string, builtIn: BuiltIn): Promise<LoadedScenario> {
  const known = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (known !== undefined) return { source: "built-in", scenario: await check(name, known) };
  const file = readSmallFile(resolve(cwd, name), LIMITS.fakeScenarioBytes);
  if (file.kind === "absent") throw notFound(name, builtIn);
  if (file.kind === "unusable") throw scenarioError(name, [{ path: "", message: file.why }]);
  return { source: "file", scenario: await check(name, parse(name, file.text)) };
}
