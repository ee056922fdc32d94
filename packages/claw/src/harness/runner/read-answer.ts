import type { AgentAnswer, JsonObject } from "@claw/contract";
import { isObject, parseJson } from "@claw/contract";

const isText = (value: unknown): value is string => typeof value === "string";

const isTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((text) => isText(text) || (Array.isArray(text) && text.every(isText)));

/** What each member of an answer has to be. */
const MEMBERS: Readonly<Record<keyof AgentAnswer, (value: unknown) => boolean>> = {
  decision: (value) => value === "allow" || value === "deny",
  message: isText,
  input: isObject,
  answers: isTexts,
  content: isObject,
  interrupt: (value) => typeof value === "boolean",
};

/** Reads an answer. A returned string names the problem of the answer. Unknown members are left out. */
export function readCommandAnswer(text: string): AgentAnswer | string {
  const answer = parseJson(text);
  if (!isObject(answer)) return "is no JSON object";
  const known = Object.entries(MEMBERS).filter(([name]) => Object.hasOwn(answer, name));
  const wrong = known.find(([name, fits]) => !fits(answer[name]));
  if (wrong !== undefined) return `has a '${wrong[0]}' that is not what it should be`;
  if (!Object.hasOwn(answer, "decision")) return "has no 'decision'";
  return Object.fromEntries(known.map(([name]) => [name, answer[name]])) as JsonObject as AgentAnswer;
}
