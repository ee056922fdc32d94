import type { JsonObject, VerbName, VerbOutput } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import type { InteractiveSession } from "./interactive-session.ts";

/** The result of an executed slash command. */
export interface SlashCommandResult {
  /** Whether the work was done. */
  readonly handled: boolean;
  /** Describes the work done, or says why no work was done. May have several lines. */
  readonly message: string;
  readonly effect: VerbOutput<"exec-command">["effect"];
  /** In a dry run: absolute paths that would change. */
  readonly wouldAffect?: readonly string[];
}

/** A skill that a person can run like a slash command. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  /** The file of the skill. */
  readonly path: string;
}

/** The answer of a verb: the data, and the text for people. */
export interface VerbAnswer<N extends VerbName> {
  readonly data: VerbOutput<N>;
  readonly text: string;
}

/** The ports and functions that a slash command may use. */
export interface CommandContext {
  readonly ports: Ports;
  /** The session in which the slash command was typed; null when `exec-command` runs the command without a session. */
  readonly session: InteractiveSession | null;
  /** All slash commands, for a command that lists or names others. */
  readonly commands: readonly SlashCommand[];
  /** Colours and width for the message. */
  readonly paint: Paint;
  /** In a dry run, the slash command describes the changes and makes none. */
  readonly dryRun: boolean;
  /** Calls a verb, with an input its schema would accept and the ports of this context. Throws what the verb throws. */
  readonly call: <N extends VerbName>(verb: N, input: JsonObject) => Promise<VerbAnswer<N>>;
  /** The text that a verb has for people about its data. */
  readonly show: <N extends VerbName>(verb: N, data: VerbOutput<N>) => Promise<string>;
}

/** A slash command. A person types it behind a slash; a program runs it with `exec-command`. */
export interface SlashCommand {
  /** kebab-case, without the slash. */
  readonly name: string;
  /** A sentence that describes the slash command. */
  readonly responsibility: string;
  /** Arguments that may follow the name, for help; empty when the slash command takes none. */
  readonly usage: string;
  /** The page and section about the slash command, from the root of the installed package. */
  readonly sourceHint: string;
  readonly kind: "builtin" | "plugin" | "skill";
  /** Whether the slash command needs a running interactive session. Without a session, the command is not handled. */
  readonly interactiveOnly: boolean;
  /** Runs the slash command. `words` is the text after the name, without the space around it. Throws ClawError. */
  run(words: string, context: CommandContext, signal: AbortSignal): Promise<SlashCommandResult>;
}

type Definition = Pick<SlashCommand, "name" | "responsibility" | "run"> &
  Partial<Pick<SlashCommand, "usage" | "interactiveOnly">>;

/** Defines a slash command that is part of claw. */
export const defineCommand = (definition: Definition): SlashCommand => ({
  usage: "",
  interactiveOnly: false,
  ...definition,
  kind: "builtin",
  sourceHint: `docs/chat.md#${definition.name}`,
});

/** The slash command was handled and changed no file. */
export const said = (message: string): SlashCommandResult => ({ handled: true, message, effect: "noop" });

/** The slash command was not handled; the message says why. */
export const declined = (message: string): SlashCommandResult => ({ handled: false, message, effect: "noop" });
