import type { FieldSpec, VerbOutput, VerbSpec } from "claw-contract";
import {
  actionsOf,
  ClawError,
  FAMILIES,
  groupVerbs,
  isFamily,
  LIMITS,
  matchVerb,
  nearest,
  VERB_GROUPS,
  wordsOf,
} from "claw-contract";
import { handle } from "../runtime/handle.ts";
import { defaultsOf, describeField, flagLabel, isFlag, usageLine, valueWord } from "./help-text.ts";
import type { Paint } from "../runtime/paint.ts";
import { GLOBAL_FIELDS, VERB_SPECS } from "../runtime/verb-table.generated.ts";
import { wrapText } from "../text/text-layout.ts";
import { widestOf } from "../text/text-width.ts";

type Output = VerbOutput<"help">;
type Option = Output["options"][number];

const optionOf = (field: FieldSpec): Option => ({
  flag: isFlag(field) ? flagLabel(field) : valueWord(field),
  type: field.type,
  required: field.required,
  description: describeField(field),
});

const FORMATS = ["text", "json"];

/** Output formats of a verb. A verb with a stream can also print item by item. */
const formatsOf = ({ streams }: VerbSpec): string[] => (streams ? [...FORMATS, "stream-json"] : FORMATS);

/** Global flags with additional values for this verb. */
function ownGlobals({ streams }: VerbSpec): FieldSpec[] {
  if (!streams) return [];
  const format = GLOBAL_FIELDS.filter(({ name }) => name === "outputFormat");
  return format.map((field) => ({ ...field, values: [...(field.values ?? []), "stream-json"] }));
}

/** The words that can follow `claw`. A family of verbs is one entry; the help of the family explains its verbs. */
function firstWords(): NonNullable<Output["commands"]> {
  const words = new Map(
    groupVerbs(VERB_SPECS)
      .flatMap(({ verbs }) => verbs)
      .map(({ name, summary, group }) => {
        const { command } = wordsOf(name);
        return [command, { name: command, summary: FAMILIES[command] ?? summary, group }];
      }),
  );
  return [...words.values()];
}

function overview(): Output {
  return {
    kind: "help",
    topic: null,
    usage: "claw COMMAND [arguments] [flags]",
    purpose: "Run coding agents behind one machine-readable contract.",
    commands: firstWords(),
    total_commands: VERB_SPECS.length,
    options: GLOBAL_FIELDS.map(optionOf),
    defaults: defaultsOf(GLOBAL_FIELDS),
    examples: [
      { description: "Where am I", command: "claw status" },
      { description: "Explain one command", command: "claw help export" },
    ],
    formats: FORMATS,
    local_only: true,
    requires_credentials: false,
  };
}

function explain(spec: VerbSpec): Output {
  return {
    kind: "help",
    topic: spec.name,
    usage: usageLine(spec),
    purpose: spec.summary,
    arguments: spec.fields.filter((field) => !isFlag(field)).map(optionOf),
    options: [...spec.fields.filter(isFlag), ...ownGlobals(spec)].map(optionOf),
    defaults: defaultsOf(spec.fields),
    examples: [...spec.examples],
    formats: formatsOf(spec),
    local_only: true,
    requires_credentials: false,
  };
}

/** Explains the verbs that share a first word. */
function explainFamily(family: string): Output {
  const verbs = actionsOf(family, VERB_SPECS);
  const alone = verbs.find((verb) => verb.alone);
  const summary = FAMILIES[family] ?? "";
  return {
    kind: "help",
    topic: family,
    usage: `claw ${family} ${alone === undefined ? "ACTION" : "[ACTION]"} [arguments] [flags]`,
    purpose: alone === undefined ? summary : `${summary} \`claw ${family}\` alone is \`claw ${alone.name}\`.`,
    commands: verbs.map(({ name, summary: text, group }) => ({ name, summary: text, group })),
    total_commands: verbs.length,
    options: [],
    defaults: {},
    examples: verbs.flatMap(({ examples }) => examples.slice(0, 1)),
    formats: FORMATS,
    local_only: true,
    requires_credentials: false,
  };
}

function unknownTopic(topic: string): ClawError {
  const target = topic.slice(0, 200);
  const close = nearest(
    topic,
    VERB_SPECS.map((spec) => spec.name),
    { limit: LIMITS.suggestions },
  );
  return new ClawError("HELP_TOPIC_NOT_FOUND", `there is no help on '${target}'`, {
    operation: "find_topic",
    target,
    ...(close.length === 0 ? {} : { hint: `Did you mean ${close.join(" or ")}?` }),
    details: { suggestions: close },
  });
}

const INDENT = 2;
const LABEL_WIDTH = 28;

const labelWidth = (labels: readonly string[]): number => Math.min(LABEL_WIDTH, widestOf(labels));

/** Labels on the left, explanations in a column on the right. A long label gets a separate line. */
function section(
  title: string,
  rows: readonly (readonly [string, string])[],
  paint: Paint,
  width = labelWidth(rows.map(([label]) => label)),
): string[] {
  if (rows.length === 0) return [];
  const margin = INDENT + width + 2;
  const lines = rows.map(([label, text]) => {
    const gap = label.length > width ? `\n${" ".repeat(margin)}` : " ".repeat(width - label.length + 2);
    return `${" ".repeat(INDENT)}${paint.cyan(label)}${gap}${wrapText(text, margin)}`;
  });
  return ["", paint.bold(title), ...lines];
}

/** Verbs group by group, in a single column. The verbs of a family are one group. */
function commandSections({ topic, commands = [] }: Output, paint: Paint): string[] {
  const width = labelWidth(commands.map(({ name }) => name));
  const rows = (list: typeof commands) => list.map(({ name, summary }) => [name, summary] as const);
  if (topic !== null) return section("Commands", rows(commands), paint, width);
  return VERB_GROUPS.flatMap(({ id, title }) =>
    section(title, rows(commands.filter(({ group }) => group === id)), paint, width),
  );
}

function optionText(option: Option, defaults: Output["defaults"]): string {
  const name = /--([a-z-]+)/.exec(option.flag)?.[1] ?? "";
  const value = defaults[name];
  const note = option.required ? "required" : value === undefined || value === false ? "" : String(value);
  return note === "" ? option.description : `${option.description} [${note}]`;
}

function show(help: Output, paint: Paint): string {
  const options = help.options.map((option) => [option.flag, optionText(option, help.defaults)] as const);
  return [
    `${paint.bold("Usage:")} ${help.usage}`,
    "",
    wrapText(help.purpose, 0),
    ...commandSections(help, paint),
    ...section(
      "Arguments",
      (help.arguments ?? []).map(({ flag, description }) => [flag, description] as const),
      paint,
    ),
    ...section("Flags", options, paint),
    ...section(
      "Examples",
      help.examples.map(({ command, description }) => [command, description] as const),
      paint,
    ),
    ...(help.topic === null ? [] : ["", paint.dim("Flags of every command: claw help")]),
  ].join("\n");
}

export const handler = handle("help", {
  run: ({ topic, action }) => {
    if (topic === undefined) return overview();
    if (isFamily(topic) && action === undefined) return explainFamily(topic);
    const words = action === undefined ? [topic] : [topic, action];
    const found = matchVerb(words, VERB_SPECS);
    if (found?.length !== words.length) throw unknownTopic(words.join(" "));
    return explain(found.verb);
  },
  show,
});
