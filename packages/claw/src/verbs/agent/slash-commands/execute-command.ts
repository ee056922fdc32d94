import type { JsonObject, VerbInput, VerbName, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Handler, Ports } from "../../runtime/handle.ts";
import { HANDLERS } from "../../runtime/handlers.generated.ts";
import { createNoteTaker } from "../../runtime/note-taker.ts";
import type { Paint } from "../../runtime/paint.ts";
import type { SlashCommand, CommandContext, SlashCommandResult, VerbAnswer } from "./command.ts";

const handlerOf = <N extends VerbName>(verb: N): Promise<Handler<N>> => HANDLERS[verb]();

/** Calls verbs for commands: the same handlers, the same ports, the same words. */
export const createVerbCaller = (ports: Ports, paint: Paint): Pick<CommandContext, "call" | "show"> => ({
  call: async <N extends VerbName>(verb: N, input: JsonObject): Promise<VerbAnswer<N>> => {
    const { run, show } = await handlerOf(verb);
    // Pages and cursors of a verb mean nothing to the caller of a slash command; only warnings are passed on.
    const notes = createNoteTaker();
    const data = (await run(input as VerbInput<N>, { ...ports, notes })) as VerbOutput<N>;
    for (const warning of notes.notes().warnings) ports.notes.warn(warning);
    return { data, text: show(data, paint) };
  },
  show: async (verb, data) => (await handlerOf(verb)).show(data, paint),
});

/** Executes a slash command with the text after its name. Throws ClawError. */
export async function executeCommand(
  command: SlashCommand,
  words: string,
  context: CommandContext,
  signal: AbortSignal,
): Promise<SlashCommandResult> {
  const given = words.trim();
  if (command.usage === "" && given !== "") {
    throw new ClawError("UNEXPECTED_ARGUMENTS", `${command.name} takes no arguments`, {
      operation: "parse_arguments",
      target: given.slice(0, 200),
    });
  }
  signal.throwIfAborted();
  return command.run(given, context, signal);
}
