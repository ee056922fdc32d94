import type { JsonObject, VerbName, VerbOutput } from "@claw/contract";
import type { Ports } from "../handle.ts";
import type { Paint } from "../paint.ts";
import type { InteractiveSession } from "./interactive-session.ts";

/** What a command says when it has been executed. */
export interface CommandResult {
  /** Whether the work was done. */
  readonly handled: boolean;
  /** What was done, or why nothing was. May have several lines. */
  readonly message: string;
  readonly effect: VerbOutput<"exec-command">["effect"];
  /** In a dry run: absolute paths that would change. */
  readonly wouldAffect?: readonly string[];
}

/** A skill that can be ordered like a command. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  /** The file it is written in. */
  readonly path: string;
}

/** What a verb answered: its data, and the text it has for people. */
export interface VerbAnswer<N extends VerbName> {
  readonly data: VerbOutput<N>;
  readonly text: string;
}

/** What a command may use. */
export interface CommandContext {
  readonly ports: Ports;
  /** The session the command was typed in; null when it was called by itself. */
  readonly session: InteractiveSession | null;
  /** Every command there is, for those that speak of others. */
  readonly commands: readonly Command[];
  /** How the message is to look. */
  readonly paint: Paint;
  /** Say what would happen and change nothing. */
  readonly dryRun: boolean;
  /** Calls a verb, with an input its schema would accept and the ports of this context. Throws what the verb throws. */
  readonly call: <N extends VerbName>(verb: N, input: JsonObject) => Promise<VerbAnswer<N>>;
  /** The text that a verb has for people about its data. */
  readonly show: <N extends VerbName>(verb: N, data: VerbOutput<N>) => Promise<string>;
}

/** Something a person can order with a slash, and a program with `exec-command`. */
export interface Command {
  /** kebab-case, without the slash. */
  readonly name: string;
  /** One sentence: what it does. */
  readonly responsibility: string;
  /** What may follow the name, for help; empty when nothing may. */
  readonly usage: string;
  /** Where it is written, from the root of the repository. */
  readonly sourceHint: string;
  readonly kind: "builtin" | "plugin" | "skill";
  /** Whether it only makes sense in a running interactive session; such a command is not handled elsewhere. */
  readonly interactiveOnly: boolean;
  /** Does it. The words are what followed the name, without the space around them. Throws ClawError. */
  run(words: string, context: CommandContext, signal: AbortSignal): Promise<CommandResult>;
}

type Definition = Pick<Command, "name" | "responsibility" | "run"> &
  Partial<Pick<Command, "usage" | "interactiveOnly">>;

/** A command that claw brings along. It is written in the file of its name. */
export const defineCommand = (definition: Definition): Command => ({
  usage: "",
  interactiveOnly: false,
  ...definition,
  kind: "builtin",
  sourceHint: `packages/claw/src/verbs/commands/${definition.name}.ts`,
});

/** The work was done and has changed nothing on disk. */
export const said = (message: string): CommandResult => ({ handled: true, message, effect: "noop" });

/** Nothing was done, for this reason. */
export const declined = (message: string): CommandResult => ({ handled: false, message, effect: "noop" });
