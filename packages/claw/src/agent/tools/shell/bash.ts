import * as z from "zod";
import { LIMITS } from "claw-contract";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import type { Aftermath } from "../../sandbox/sandbox.ts";
import type { CommandPlan } from "./plan-command.ts";
import { planCommand } from "./plan-command.ts";
import type { ShellOutcome } from "./run-shell.ts";
import { runShell } from "./run-shell.ts";
import { toolAnswer, attempt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool, ToolOutput } from "../tool.ts";
import { defineTool } from "../tool.ts";

const Input = z.object({
  command: z.string().min(1).describe("Command line for bash."),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(LIMITS.bashTimeoutMaxMs)
    .optional()
    .describe(`Milliseconds it may take; ${LIMITS.bashTimeoutMs} unless given, ${LIMITS.bashTimeoutMaxMs} at most.`),
  description: z.string().optional().describe("In a few words what it does."),
  run_in_background: z.boolean().optional().describe("Not supported."),
  dangerouslyDisableSandbox: z.boolean().optional().describe("Run it outside of the sandbox; that has to be allowed."),
});

/** How a command ended, in a form for programs; null for exit code 0. */
function interpretation({ exitCode, signal, isTimedOut }: ShellOutcome): string | null {
  if (isTimedOut) return "timeout";
  if (signal !== null) return `signal:${signal}`;
  return exitCode === 0 ? null : `exit_code:${exitCode ?? "unknown"}`;
}

function ending({ exitCode, signal, isTimedOut }: ShellOutcome): string {
  if (isTimedOut) return "timed out";
  return signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}

function notesOn({ removed, notes }: Aftermath): string[] {
  const moved = removed.map(({ path, movedTo }) =>
    movedTo === null
      ? `${path} is not to be made by commands, and could not be moved away: remove it before git is used there`
      : `${path} is not to be made by commands; it was moved to ${movedTo}`,
  );
  return [...moved, ...notes];
}

function shellOutput(
  outcome: ShellOutcome,
  aftermath: Aftermath,
  facts: Readonly<Record<string, unknown>>,
): ToolOutput {
  const { stdout, stderr, path, bytes } = outcome.output;
  const notes = notesOn(aftermath);
  const said = toolAnswer(
    {
      stdout,
      stderr: [stderr, ...notes.map((note) => `[${note}]`)].filter((text) => text !== "").join("\n"),
      exitCode: outcome.exitCode,
      interrupted: outcome.isTimedOut,
      isImage: false,
      returnCodeInterpretation: interpretation(outcome),
      noOutputExpected: bytes === 0,
      rawOutputPath: path,
      persistedOutputPath: path,
      persistedOutputSize: path === null ? null : bytes,
      ...facts,
    },
    outcome.isTimedOut || outcome.exitCode !== 0,
  );
  return { ...said, summary: [ending(outcome), ...notes].join("; ") };
}

/** Runs a command; however it ends, the plan is settled before the caller goes on. */
async function runAndSettle(plan: CommandPlan, run: () => Promise<ShellOutcome>): Promise<ShellOutcome> {
  try {
    return await run();
  } finally {
    await plan.settle();
  }
}

/** Runs commands. */
export function createBash(deps: ToolDeps): AnyTool {
  return defineTool<z.infer<typeof Input>>({
    name: "bash",
    aliases: TOOL_ALIASES.bash,
    responsibility: "Runs a command line in the workspace, in the sandbox where there is one.",
    description:
      "Runs a command line with bash in the workspace. Each call starts in the root of the workspace. In the sandbox there is no network, and only the workspace and /tmp can be written. Long output is cut; the answer says which file has all of it. Everything that was started ends with the call.",
    sourceHint: "docs/agent/tools.md#bash",
    input: Input,
    mainField: "command",
    readOnly: false,
    need: ({ command, dangerouslyDisableSandbox }) => ({
      kind: "command",
      command,
      unconfined: dangerouslyDisableSandbox ?? false,
    }),
    subject: ({ command }) => command,
    run: (input, call, signal) =>
      attempt(signal, async () => {
        if (input.run_in_background === true) {
          return refuseCall("run_in_background is not supported; run it in the foreground");
        }
        if (Buffer.byteLength(input.command) > LIMITS.bashCommandBytes) {
          return refuseCall("the command is too long; put it into a file");
        }
        if (input.command.includes("\0")) return refuseCall("the command holds a NUL character");
        const isUnconfined = input.dangerouslyDisableSandbox ?? false;
        const plan = await planCommand(input.command, isUnconfined, deps);
        const request = { ...plan, timeoutMs: input.timeout ?? LIMITS.bashTimeoutMs, progress: call.progress };
        const outcome = await runAndSettle(plan, () => runShell(request, deps.spill, signal));
        return shellOutput(outcome, plan.aftermath(), {
          dangerouslyDisableSandbox: isUnconfined,
          sandboxStatus: {
            enabled: plan.manner === "confined",
            kind: plan.sandbox,
          },
        });
      }),
  });
}
