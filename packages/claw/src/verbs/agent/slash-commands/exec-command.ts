import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { executeCommand, createVerbCaller } from "./execute-command.ts";
import { requireCommand } from "./find-command.ts";
import type { SlashCommand } from "./command.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { listCommands } from "./list-commands.ts";
import { PLAIN_PAINT } from "../../runtime/paint.ts";

type Input = VerbInput<"exec-command">;
type Output = VerbOutput<"exec-command">;

/** Says in the answer to a failure that nothing was done, and what was asked for. */
function withPartial(error: unknown, { name, prompt }: Input): unknown {
  if (!(error instanceof ClawError)) return error;
  const partial = { name, prompt, handled: false, message: error.message, effect: "noop" };
  return new ClawError(error.code, error.message, { ...error.options, partial });
}

async function execute(command: SlashCommand, input: Input, ports: Ports): Promise<Output> {
  const context = {
    ports,
    session: null,
    commands: await listCommands(ports),
    paint: PLAIN_PAINT,
    dryRun: input.dryRun,
    ...createVerbCaller({ ...ports, isDryRun: input.dryRun }, PLAIN_PAINT),
  };
  const result = await executeCommand(command, input.prompt, context, ports.signal);
  return {
    name: command.name,
    prompt: input.prompt,
    handled: result.handled && !result.effect.startsWith("would"),
    message: result.message,
    source_hint: command.sourceHint,
    effect: result.effect,
    ...(input.dryRun ? { would_affect: [...(result.wouldAffect ?? [])] } : {}),
  };
}

export const handler = handle("exec-command", {
  run: async (input, ports) => {
    try {
      const command = requireCommand(await listCommands(ports), input.name);
      // The answer may be kept for a repeated call, and what a command says may hold anything.
      return ports.redactor.redactValue(await execute(command, input, ports));
    } catch (error) {
      throw withPartial(error, input);
    }
  },
  show: ({ message }) => message,
});
