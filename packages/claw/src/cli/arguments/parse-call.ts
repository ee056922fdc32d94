import type { FieldSpec, VerbMatch, VerbName, VerbSpec } from "@claw/contract";
import {
  ClawError,
  COMMAND_NAMES,
  isFamily,
  LIMITS,
  matchVerb,
  nearest,
  RENAMES,
  shellQuote,
  wordsOf,
} from "@claw/contract";
import { GLOBAL_FIELDS, VERB_SPECS } from "../../verbs/index.ts";
import { unknownAction } from "./unknown-action.ts";
import type { Problem } from "./problem.ts";
import { argumentError, shorten } from "./problem.ts";
import { readInput } from "./read-input.ts";
import type { Value } from "./read-value.ts";
import type { FlagNames, Token } from "./tokenise.ts";
import { indexFlags, tokenise } from "./tokenise.ts";

/** A command line that makes sense. */
export interface Call {
  readonly verb: VerbName;
  /** What the answer calls itself: the verb as it was asked for, of a two-word verb its first word. */
  readonly command: string;
  /** The second word of a two-word verb. */
  readonly action?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, Value>>;
  readonly warnings: readonly string[];
}

type Positional = Token & { kind: "positional" };

/** `-p TEXT` is `prompt TEXT`, wherever it stands. */
const PROMPT_FLAG: FieldSpec = {
  name: "print",
  type: "string",
  required: false,
  description: "The same as `prompt`.",
  flag: "print",
  short: "p",
};

const SESSION_FIELDS: readonly FieldSpec[] = VERB_SPECS.find(({ name }) => name === "chat")?.fields ?? [];

const FLAG_NAMES = indexFlags([...VERB_SPECS.flatMap((spec) => spec.fields), ...GLOBAL_FIELDS, PROMPT_FLAG]);
export const flagNames = (): FlagNames => FLAG_NAMES;

const isPromptFlag = (token: Token): token is Token & { kind: "flag" } =>
  token.kind === "flag" && token.name === PROMPT_FLAG.flag;

/** The words of a line, with `-p` spelled out. */
function readTokens(argv: readonly string[]): Token[] {
  const tokens = tokenise(argv, flagNames());
  const flag = tokens.find(isPromptFlag);
  if (flag === undefined) return tokens;
  const verb: Token = { kind: "positional", value: "prompt", at: -1 };
  const text: Token[] = flag.value === undefined ? [] : [{ kind: "positional", value: flag.value, at: -1 }];
  return [verb, ...text, ...tokens.filter((token) => token !== flag)];
}

/** The call with the renamed words replaced and everything else as it stood, ready to be run by a shell. */
function renamedCall(argv: readonly string[], places: readonly number[], to: string): string {
  const words = argv.flatMap((text, index) => {
    if (index === places[0]) return [to];
    return places.includes(index) ? [] : [shellQuote(text)];
  });
  return ["claw", ...words].join(" ");
}

function refuseRenamed(argv: readonly string[], words: readonly Positional[]): void {
  const rename = RENAMES.find(({ from }) => from.every((word, index) => words[index]?.value === word));
  if (rename === undefined) return;
  const old = rename.from.join(" ");
  const places = words.slice(0, rename.from.length).map((word) => word.at);
  const command = renamedCall(argv, places, rename.to);
  throw new ClawError("COMMAND_RENAMED", `'${old}' is now '${rename.to}'`, {
    operation: "resolve_command",
    target: old,
    hint: `Run: ${command}`,
    redirect: { command, permanent: true, reason: "renamed" },
  });
}

function unknownCommand(word: string): ClawError {
  const verbs = VERB_SPECS.map((spec) => spec.name);
  const suggestions = nearest(word, verbs, { limit: LIMITS.suggestions });
  const hint = suggestions.length === 0 ? {} : { hint: `Did you mean: claw ${suggestions.join(", claw ")}?` };
  return new ClawError("UNKNOWN_COMMAND", `'${shorten(word)}' is no command of claw`, {
    operation: "resolve_command",
    target: shorten(word),
    ...hint,
    details: { suggestions },
  });
}

/** A command of the interactive session, which a shell reaches by another way. */
function slashCommand(typedWords: readonly [Positional, ...Positional[]]): ClawError {
  const [first, ...others] = typedWords.map((word) => word.value);
  const typed = (first ?? "").slice(1).toLowerCase();
  const target = shorten(first ?? "");
  if ((COMMAND_NAMES as readonly string[]).includes(typed)) {
    const words = others.join(" ");
    const rest = words === "" ? "" : ` ${shorten(words) === words ? shellQuote(words) : "PROMPT"}`;
    return new ClawError("INTERACTIVE_ONLY", `'${target}' is a command of an interactive session`, {
      operation: "resolve_command",
      target,
      hint: `Run it from here with: claw exec-command ${typed}${rest}`,
    });
  }
  const suggestions = nearest(typed, COMMAND_NAMES, { limit: LIMITS.suggestions }).map((name) => `/${name}`);
  return new ClawError("UNKNOWN_SLASH_COMMAND", `there is no command '${target}'`, {
    operation: "resolve_command",
    target,
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(" or ")}?` }),
    details: { suggestions },
  });
}

const valuesOf = (words: readonly Positional[]): string[] => words.map(({ value }) => value);

const positionalsOf = (tokens: readonly Token[]): Positional[] => tokens.filter((token) => token.kind === "positional");

/** The words the answer is filed under, however broken the rest of the line is. */
export function calledAs(argv: readonly string[]): Pick<Call, "command" | "action"> {
  const words = valuesOf(positionalsOf(readTokens(argv)));
  const found = matchVerb(words, VERB_SPECS);
  if (found !== undefined) return wordsOf(found.verb.name);
  return { command: words[0] === undefined ? "claw" : shorten(words[0]) };
}

function findVerb(argv: readonly string[], words: readonly [Positional, ...Positional[]]): VerbMatch<VerbSpec> {
  const values = valuesOf(words);
  const [word = "", action] = values;
  const found = matchVerb(values, VERB_SPECS);
  if (found !== undefined) return found;
  refuseRenamed(argv, words);
  if (isFamily(word)) throw unknownAction(word, action);
  throw word.startsWith("/") ? slashCommand(words) : unknownCommand(word);
}

/** Only a verb that says things while it works has a form for that. */
function globalFields({ streams }: VerbSpec): readonly FieldSpec[] {
  if (!streams) return GLOBAL_FIELDS;
  return GLOBAL_FIELDS.map((field) =>
    field.name === "outputFormat" ? { ...field, values: [...(field.values ?? []), "stream-json"] } : field,
  );
}

function refuseProblems([first, ...others]: readonly Problem[]): void {
  if (first !== undefined) throw argumentError([first, ...others]);
}

const pick = (values: Readonly<Record<string, Value>>, fields: readonly FieldSpec[]): Record<string, Value> =>
  Object.fromEntries(fields.flatMap(({ name }) => (name in values ? [[name, values[name] as Value]] : [])));

/** Who reads the answer: a program, somebody who reads text, or somebody at a terminal that a session can have. */
export type Face = "program" | "text" | "session";

/** Without a verb there is a session on a terminal, help for other people; a program is told that it needs one. */
function bareCall(tokens: readonly Token[], face: Face): Call {
  const fields = face === "session" ? SESSION_FIELDS : [];
  const { values, problems, warnings } = readInput(tokens, [...fields, ...GLOBAL_FIELDS]);
  const globals = pick(values, GLOBAL_FIELDS);
  refuseProblems(problems);
  if (globals["version"] === true) return { verb: "version", command: "version", input: {}, globals, warnings };
  if (face === "text" || globals["help"] === true) {
    return { verb: "help", command: "help", input: {}, globals, warnings };
  }
  if (face === "session") return { verb: "chat", command: "chat", input: pick(values, fields), globals, warnings };
  throw new ClawError("INTERACTIVE_ONLY", "claw without a command needs a terminal", {
    operation: "resolve_command",
    target: "claw",
  });
}

/** Words that are passed on, whatever they look like. */
const passedOn = (rest: readonly string[]): Token[] => rest.map((value) => ({ kind: "positional", value, at: -1 }));

const asksForHelp = (token: Token): boolean => token.kind === "flag" && token.name === "help" && token.value === "true";

const topicOf = (name: string): Call["input"] => {
  const { command, action } = wordsOf(name);
  return { topic: command, ...(action === undefined ? {} : { action }) };
};

/** `claw tasks --help`: what the family can do, also where its word alone is a verb. */
function familyHelp(family: string, tokens: readonly Token[]): Call {
  const { values, warnings } = readInput(tokens, GLOBAL_FIELDS);
  return { verb: "help", command: family, input: topicOf(family), globals: pick(values, GLOBAL_FIELDS), warnings };
}

/** Parses a whole command line. Throws the one error that names everything wrong with it. */
export function parseCall(argv: readonly string[], face: Face, rest: readonly string[] = []): Call {
  const tokens = [...readTokens(argv), ...passedOn(rest)];
  const [word, ...others] = positionalsOf(tokens);
  if (word === undefined) return bareCall(tokens, face);
  if (others.length === 0 && isFamily(word.value) && tokens.some(asksForHelp)) return familyHelp(word.value, tokens);
  const { verb: spec, length } = findVerb(argv, [word, ...others]);
  const naming: readonly Token[] = [word, ...others].slice(0, length);
  const reading = readInput(
    tokens.filter((token) => !naming.includes(token)),
    [...spec.fields, ...globalFields(spec)],
  );
  const globals = pick(reading.values, GLOBAL_FIELDS);
  const called = { ...wordsOf(spec.name), globals, warnings: reading.warnings };
  if (globals["help"] === true) return { verb: "help", ...called, input: topicOf(spec.name) };
  if (globals["version"] === true) return { verb: "version", ...called, input: {} };
  refuseProblems(reading.problems);
  return { verb: spec.name as VerbName, ...called, input: pick(reading.values, spec.fields) };
}
