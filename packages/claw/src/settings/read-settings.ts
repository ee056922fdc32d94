import { LIMITS, parseJson, isObject } from "claw-contract";
import { readSmallFile } from "../files/index.ts";
import { jsonErrorAt } from "./json-error-at.ts";
import { settingsProblem } from "./settings-rules.ts";

const SETTINGS_DEPTH = 32;

export type FileReading =
  | { readonly kind: "values"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "absent" }
  | { readonly kind: "invalid"; readonly problem: string };

const invalidFile = (problem: string): FileReading => ({ kind: "invalid", problem });

/** Where in a text JSON stops making sense; never the text itself, which may hold secrets. */
function errorPlace(text: string): string {
  const position = jsonErrorAt(text);
  const before = text.slice(0, position).split("\n");
  return `in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** How deep values are nested, without recursion: a hostile file must not end the program. */
function depthOf(value: object): number {
  let depth = 0;
  for (let level: object[] = [value]; level.length > 0; depth += 1) {
    if (depth > SETTINGS_DEPTH) break;
    level = level.flatMap((item) =>
      Object.values(item).filter((child) => typeof child === "object" && child !== null),
    ) as object[];
  }
  return depth;
}

function parse(text: string): FileReading {
  if (text.trim() === "") return { kind: "values", values: {} };
  const values = parseJson(text);
  if (values === undefined) return invalidFile(`it is not JSON ${errorPlace(text)}`);
  if (!isObject(values)) return invalidFile("it is no JSON object");
  if (depthOf(values) > SETTINGS_DEPTH) {
    return invalidFile(`it is nested deeper than ${SETTINGS_DEPTH} levels`);
  }
  const problem = settingsProblem(values);
  return problem === undefined ? { kind: "values", values } : invalidFile(problem);
}

/** Reads one settings file. Never throws: what is wrong with the file is part of the answer. */
export function readSettingsFile(path: string): FileReading {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  if (file.kind === "text") return parse(file.text.replace(/^\uFEFF/, ""));
  return file.kind === "absent" ? { kind: "absent" } : invalidFile(file.why);
}
