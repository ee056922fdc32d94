import type { AgentAnswer, AgentQuestion, JsonObject, Redactor } from "claw-contract";
import { isObject } from "claw-contract";
import type { TerminalPort } from "../runtime/handle.ts";

export interface AskingPorts {
  readonly terminal: TerminalPort;
  readonly redactor: Redactor;
}

type Ask = (text: string) => Promise<string | null>;

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const printed = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const indented = (text: string): string => text.replaceAll(/^/gm, "    ");

const fieldLines = (input: unknown): string[] =>
  isObject(input)
    ? Object.entries(input).map(([name, value]) => `  ${name}:\n${indented(printed(value))}`)
    : [indented(printed(input))];

const deny = (message: string): AgentAnswer => ({ decision: "deny", message });

/** The agent's question as text for a person, with secrets masked. `isWhole` says that no part was masked. */
function questionText(
  { tool, input, reason }: AgentQuestion,
  { redactValue }: Redactor,
): { text: string; isWhole: boolean } {
  const shown = redactValue({ tool, input, reason });
  const lines = [
    `The agent asks to use ${shown.tool}${shown.reason === "" ? "" : `: ${shown.reason}`}`,
    ...fieldLines(shown.input),
  ];
  return { text: lines.join("\n"), isWhole: JSON.stringify(shown) === JSON.stringify({ tool, input, reason }) };
}

/** Asks with secrets masked. The person may first ask to see the masked text, and then decide. */
async function askPermission(question: AgentQuestion, redactor: Redactor, ask: Ask): Promise<AgentAnswer> {
  const { text, isWhole } = questionText(question, redactor);
  const choices = isWhole ? "[y]es, [n]o" : "[y]es, [n]o, [s]how what is masked";
  let answer = (await ask(`${text}\n${choices}? `))?.trim() ?? "";
  if (/^s(how)?$/i.test(answer) && !isWhole) {
    answer = (await ask(`${fieldLines(question.input).join("\n")}\n[y]es, [n]o? `))?.trim() ?? "";
  }
  return /^y(es)?$/i.test(answer) ? { decision: "allow" } : deny("denied at the terminal");
}

/** An option by its number or its name; anything else is an answer in the person's own words. */
function pick(answer: string, labels: readonly string[]): string {
  const number = Number(answer);
  return Number.isInteger(number) ? (labels[number - 1] ?? answer) : answer;
}

async function askQuestions(question: AgentQuestion, { redactText }: Redactor, ask: Ask): Promise<AgentAnswer> {
  const answers: Record<string, string> = {};
  for (const { question: text, id, options } of objects(isObject(question.input) ? question.input["questions"] : [])) {
    const labels = objects(options).map(({ label }) => printed(label));
    const lines = [printed(text), ...labels.map((label, index) => `  ${index + 1}. ${label}`)];
    const answer = (await ask(`${redactText(lines.join("\n"))}\n> `))?.trim() ?? "";
    if (answer === "") return deny("no answer came");
    answers[typeof id === "string" ? id : printed(text)] = pick(answer, labels);
  }
  return { decision: "allow", answers };
}

function valueOf(answer: string, { type }: JsonObject): unknown {
  if (type === "boolean") return /^(y(es)?|true)$/i.test(answer);
  const number = Number(answer);
  return (type === "number" || type === "integer") && !Number.isNaN(number) ? number : answer;
}

async function askForm(question: AgentQuestion, { redactText }: Redactor, ask: Ask): Promise<AgentAnswer> {
  const schema = isObject(question.input) ? question.input : {};
  const { properties } = isObject(schema["requestedSchema"]) ? schema["requestedSchema"] : schema;
  const content: Record<string, unknown> = {};
  const intro = `${question.tool} asks: ${question.reason}`;
  for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
    const about = isObject(field) ? field : {};
    const hint = typeof about["description"] === "string" ? ` (${about["description"]})` : "";
    const answer = (await ask(`${redactText(`${intro}\n${name}${hint}`)}: `))?.trim() ?? "";
    if (answer === "") return deny("the form was left empty");
    content[name] = valueOf(answer, about);
  }
  return { decision: "allow", content };
}

/** Asks the person at the terminal. No answer is a denial. */
export async function askPerson(
  question: AgentQuestion,
  { terminal, redactor }: AskingPorts,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const ask: Ask = (text) => terminal.ask(text, signal);
  if (question.about === "question") return askQuestions(question, redactor, ask);
  return question.about === "elicitation" ? askForm(question, redactor, ask) : askPermission(question, redactor, ask);
}
