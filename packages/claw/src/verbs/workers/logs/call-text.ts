import { objectOf } from "claw-contract";
import { entryLine } from "./log-source.ts";

/** Fields of a tool's input that describe the call, the most telling field first. */
const SHOWN_ARGUMENTS = [
  "command",
  "file_path",
  "notebook_path",
  "path",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
];

const CALL_CHARS = 300;

const argumentText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(" ") : typeof value === "string" ? value : "";

/** The subject of a call: its command, file or question. Without one of the telling fields, the whole input. */
function subjectOf(input: unknown): string {
  const fields = objectOf(input);
  const telling = SHOWN_ARGUMENTS.map((name) => argumentText(fields[name])).find((text) => text.trim() !== "");
  if (telling !== undefined) return telling;
  const json = Object.keys(fields).length === 0 ? "" : JSON.stringify(fields);
  return json;
}

/** A call of a tool in a line. */
export function callText(name: string, input: unknown): string {
  const subject = subjectOf(input);
  return entryLine(subject === "" ? name : `${name}: ${subject}`, CALL_CHARS);
}

/** The question of an agent: the permission that the agent needs, or a question with the answers to choose from. */
export function questionText(about: string, call: { readonly tool: string; readonly input: unknown }): string {
  const { questions } = objectOf(call.input);
  const asked = (Array.isArray(questions) ? questions : []).map((each) => {
    const { question, options } = objectOf(each);
    const labels = (Array.isArray(options) ? options : []).map((option) => argumentText(objectOf(option)["label"]));
    return labels.length === 0 ? argumentText(question) : `${argumentText(question)} (${labels.join(" / ")})`;
  });
  if (asked.length > 0) return `asks: ${asked.join("; ")}`;
  return `${about === "permission" ? "asks for permission" : "asks"}: ${callText(call.tool, call.input)}`;
}
