import type { FieldSpec, FlagSpelling, VerbMatch, VerbName, VerbSpec } from "claw-contract";
import { ClawError, isFamily, matchVerb, wordsOf } from "claw-contract";
import { FLAG_SPELLINGS, GLOBAL_FIELDS, VERB_SPECS } from "../../verbs/index.ts";
import { unknownAction } from "./unknown-action.ts";
import type { Problem } from "./problem.ts";
import { argumentError, shortenValue } from "./problem.ts";
import { readInput } from "./read-input.ts";
import type { Value } from "./read-value.ts";
import { findRenamed, oldFlags, renamed, renameFlags } from "./renamed.ts";
import type { FlagNames, Token } from "./tokenise.ts";
import { indexFlags, tokenise } from "./tokenise.ts";
import { slashCommand, unknownCommand } from "./unknown-command.ts";

/** A command line that was parsed without problems. */
export interface VerbCall {
  readonly verb: VerbName;
  /** The name of the call in the answer: the verb as typed; for a two-word verb, the first word. */
  readonly command: string;
  /** The second word of a two-word verb. */
  readonly action?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, Value>>;
  readonly warnings: readonly string[];
}

type Positional = Token & { kind: "positional" };

/** `-p TEXT` is `prompt TEXT`, wherever it stands. */
const PROMPT_FLAG: FlagSpelling = { flag: "print", short: "p", type: "string" };

const sessionFields = (): readonly FieldSpec[] => VERB_SPECS.find(({ name }) => name === "chat")?.fields ?? [];

const SPELLINGS = [...FLAG_SPELLINGS, PROMPT_FLAG];
const FLAG_NAMES = indexFlags([...oldFlags(SPELLINGS), ...SPELLINGS]);
export const flagNames = (): FlagNames => FLAG_NAMES;

const isPromptFlag = (token: Token): token is Token & { kind: "flag" } =>
  token.kind === "flag" && token.name === PROMPT_FLAG.flag;

/** The words of a line, with `-p` spelled out. Behind `help`, `-p` is the verb to explain. */
function readTokens(argv: readonly string[]): Token[] {
  const tokens = tokenise(argv, flagNames());
  const flag = tokens.find(isPromptFlag);
  if (flag === undefined) return tokens;
  const verb: Token = { kind: "positional", value: "prompt", at: -1 };
  const text: Token[] = flag.value === undefined ? [] : [{ kind: "positional", value: flag.value, at: -1 }];
  const first = tokens.find((token) => token.kind === "positional");
  if (first?.value === "help" && first.at < flag.at) {
    return tokens.flatMap((token) => (token === flag ? [verb, ...text] : [token]));
  }
  return [verb, ...text, ...tokens.filter((token) => token !== flag)];
}

const valuesOf = (words: readonly Positional[]): string[] => words.map(({ value }) => value);

const positionalsOf = (tokens: readonly Token[]): Positional[] => tokens.filter((token) => token.kind === "positional");

/** The words to file the answer under, even when the rest of the line is invalid. */
export function calledAs(argv: readonly string[]): Pick<VerbCall, "command" | "action"> {
  const words = valuesOf(positionalsOf(readTokens(argv)));
  const found = matchVerb(words, VERB_SPECS);
  if (found !== undefined) return wordsOf(found.verb.name);
  return { command: words[0] === undefined ? "claw" : shortenValue(words[0]) };
}

/** Refuses a line whose verb has an old name. */
function refuseRenamedVerb(argv: readonly string[], tokens: readonly Token[]): void {
  const verb = findRenamed(positionalsOf(tokens));
  if (verb === undefined) return;
  const { fields = [] } = VERB_SPECS.find(({ name }) => name === verb.to) ?? {};
  const words = verb.places.map((at, index) => [at, index === 0 ? [verb.to] : []] as const);
  throw renamed(argv, new Map([...renameFlags(argv, tokens, [...fields, ...GLOBAL_FIELDS]), ...words]), verb);
}

/** Refuses a line whose flags have old names. */
function refuseRenamedFlags(argv: readonly string[], tokens: readonly Token[], fields: readonly FieldSpec[]): void {
  const edits = renameFlags(argv, tokens, fields);
  const [first] = edits;
  if (first === undefined) return;
  const [place, [to = ""]] = first;
  const nameOf = (text: string): string => text.replace(/=.*/s, "");
  throw renamed(argv, edits, { from: nameOf(argv[place] ?? ""), to: nameOf(to) });
}

function findVerb(argv: readonly string[], tokens: readonly Token[]): VerbMatch<VerbSpec> {
  const words = valuesOf(positionalsOf(tokens));
  const [word = "", action] = words;
  const found = matchVerb(words, VERB_SPECS);
  if (found !== undefined) return found;
  refuseRenamedVerb(argv, tokens);
  if (isFamily(word)) throw unknownAction(word, action);
  throw word.startsWith("/") ? slashCommand(words) : unknownCommand(word);
}

/** The global flags of a verb. Only verbs that stream items accept the format `stream-json`. */
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

/** The reader of the answer: a program, a person who reads text, or a person at a terminal able to hold a session. */
export type Face = "program" | "text" | "session";

/** Without a verb, a terminal gets a session and other text readers get help. A program gets an error. */
function bareCall(argv: readonly string[], tokens: readonly Token[], face: Face): VerbCall {
  const fields = sessionFields();
  refuseRenamedFlags(argv, tokens, [...fields, ...GLOBAL_FIELDS]);
  const { values, problems, warnings } = readInput(tokens, [...fields, ...GLOBAL_FIELDS]);
  const globals = pick(values, GLOBAL_FIELDS);
  refuseProblems(problems);
  if (globals["version"] === true) return { verb: "version", command: "version", input: {}, globals, warnings };
  const wantsSession = tokens.some((token) => token.kind === "flag" && fields.some(({ flag }) => flag === token.name));
  if ((face === "text" && !wantsSession) || globals["help"] === true) {
    return { verb: "help", command: "help", input: {}, globals, warnings };
  }
  if (face === "session") return { verb: "chat", command: "chat", input: pick(values, fields), globals, warnings };
  throw new ClawError("INTERACTIVE_ONLY", "claw without a command needs a terminal", {
    operation: "resolve_command",
    target: "claw",
  });
}

/** Turns the words behind the line into positionals, even words that look like flags. */
const passedOn = (rest: readonly string[]): Token[] => rest.map((value) => ({ kind: "positional", value, at: -1 }));

const asksForHelp = (token: Token): boolean => token.kind === "flag" && token.name === "help" && token.value === "true";

const topicOf = (name: string): VerbCall["input"] => {
  const { command, action } = wordsOf(name);
  return { topic: command, ...(action === undefined ? {} : { action }) };
};

/** `claw tasks --help`: the verbs of the family, even where the family word alone is a verb. */
function familyHelp(family: string, tokens: readonly Token[]): VerbCall {
  const { values, warnings } = readInput(tokens, GLOBAL_FIELDS);
  return { verb: "help", command: family, input: topicOf(family), globals: pick(values, GLOBAL_FIELDS), warnings };
}

/** Parses a whole command line. Throws a single error that names all problems of the line. */
export function parseCall(argv: readonly string[], face: Face, rest: readonly string[] = []): VerbCall {
  const tokens = [...readTokens(argv), ...passedOn(rest)];
  const [word, ...others] = positionalsOf(tokens);
  if (word === undefined) return bareCall(argv, tokens, face);
  if (others.length === 0 && isFamily(word.value) && tokens.some(asksForHelp)) return familyHelp(word.value, tokens);
  const { verb: spec, length } = findVerb(argv, tokens);
  const naming = new Set<Token>([word, ...others].slice(0, length));
  const reading = readInput(
    tokens.filter((token) => !naming.has(token)),
    [...spec.fields, ...globalFields(spec)],
  );
  const globals = pick(reading.values, GLOBAL_FIELDS);
  const called = { ...wordsOf(spec.name), globals, warnings: reading.warnings };
  if (globals["help"] === true) return { verb: "help", ...called, input: topicOf(spec.name) };
  if (globals["version"] === true) return { verb: "version", ...called, input: {} };
  refuseRenamedFlags(argv, tokens, [...spec.fields, ...GLOBAL_FIELDS]);
  refuseProblems(reading.problems);
  return { verb: spec.name as VerbName, ...called, input: pick(reading.values, spec.fields) };
}
