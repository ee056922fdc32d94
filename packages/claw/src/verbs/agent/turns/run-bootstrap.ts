import { existsSync, readFileSync } from "node:fs";
import { arch, platform, release } from "node:os";
import { join } from "node:path";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, LIMITS, objectOf, parseObject } from "claw-contract";
import type { TurnEvent } from "../../../agent/index.ts";
import { runCommand } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { listDestinations } from "../list-destinations.ts";
import { routePrompt } from "../route-prompt.ts";
import { relativePath } from "../../sessions/session-answer.ts";
import { openWorkAgent } from "./open-work-agent.ts";
import { runInSession } from "./run-in-session.ts";
import { showActivity } from "./show-activity.ts";

type Input = VerbInput<"bootstrap">;
type Output = VerbOutput<"bootstrap">;

async function pythonVersion({ cwd, signal }: Ports): Promise<string | null> {
  const limits = { timeoutMs: LIMITS.agentVersionMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runCommand({ argv: ["python3", "--version"], cwd, ...limits }, signal);
  signal.throwIfAborted();
  return result.kind === "exited" ? (/(?<!\d)\d+\.\d+\.\d+\S*/.exec(result.stdout)?.[0] ?? null) : null;
}

/** Files that tell how a project is tested, the most telling first. */
const TEST_COMMANDS: readonly (readonly [file: string, command: string])[] = [
  ["Cargo.toml", "cargo test"],
  ["go.mod", "go test ./..."],
  ["pyproject.toml", "pytest"],
  ["pytest.ini", "pytest"],
  ["setup.py", "pytest"],
  ["pom.xml", "mvn test"],
  ["build.gradle", "gradle test"],
];

function readScripts(cwd: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = parseObject(readFileSync(join(cwd, "package.json"), "utf8")) ?? {};
    return objectOf(scripts);
  } catch {
    // Without a readable package.json, there are no scripts.
    return {};
  }
}

/** The command that tests the project of a folder; null when no file tells. */
export function testCommand(cwd: string): string | null {
  if (typeof readScripts(cwd)["test"] === "string") return "npm test";
  return TEST_COMMANDS.find(([file]) => existsSync(join(cwd, file)))?.[1] ?? null;
}

async function setup(ports: Ports): Promise<Output["setup"]> {
  return {
    python_version: await pythonVersion(ports),
    implementation: "Node.js",
    runtime_version: process.versions.node,
    platform_name: `${platform()}-${release()}-${arch()}`,
    test_command: testCommand(ports.cwd),
  };
}

type Turned = Pick<Output, "turn" | "session_id" | "persisted_session_path">;

/** Runs the turn and stores it. When the turn ends early, throws the cause; the error carries the answer so far. */
async function runOnce(input: Input, ports: Ports, known: Omit<Output, keyof Turned>): Promise<Output> {
  const agent = await openWorkAgent(input, ports);
  const activity = showActivity(ports);
  try {
    const open = await ports.sessions.openTurn(undefined, { model: agent.model }, ports.signal);
    try {
      const emit = (event: TurnEvent): void => activity.show(event);
      const turn = await runInSession(agent, open, input.prompt, { emit, signal: ports.signal });
      const { stopReason, cancelObserved, progress, failure } = turn;
      const isStored = failure === undefined && progress.iterations > 0;
      const output: Output = {
        ...known,
        turn: {
          prompt: input.prompt,
          output: progress.message,
          stop_reason: stopReason ?? "cancelled",
          cancel_observed: cancelObserved,
        },
        session_id: isStored ? open.sessionId : null,
        persisted_session_path: isStored ? relativePath(ports, open.path) : null,
      };
      if (failure === undefined) return output;
      if (!(failure instanceof ClawError) || stopReason === null) throw failure;
      throw new ClawError(failure.code, failure.message, { ...failure.options, partial: output });
    } finally {
      open.close();
    }
  } finally {
    activity.end();
    await agent.close();
  }
}

/** The verb `bootstrap`. */
export async function runBootstrap(input: Input, ports: Ports): Promise<Output> {
  const { prompt, limit, dryRun } = input;
  if (prompt.trim() === "") {
    throw new ClawError("MISSING_PROMPT", "the prompt is empty", { operation: "parse_arguments", target: "PROMPT" });
  }
  const routed = routePrompt(prompt, await listDestinations(ports), limit);
  const known = { prompt, limit, setup: await setup(ports), routed_matches: routed, effect: "created" as const };
  if (!dryRun) return runOnce(input, ports, known);
  return {
    ...known,
    turn: { prompt, output: "", stop_reason: "cancelled", cancel_observed: false },
    session_id: null,
    persisted_session_path: null,
    effect: "would_create",
    would_affect: [ports.sessions.directory],
  };
}
