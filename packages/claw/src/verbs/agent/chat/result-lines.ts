import type { JsonObject } from "claw-contract";
import { parseObject, textOf } from "claw-contract";
import type { Span, Style } from "../../runtime/screen.ts";
import { plural } from "../../text/text-layout.ts";
import { cutToWidth } from "../../text/text-width.ts";

const MAX_LINES = 4;
const MAX_DIFF_LINES = 12;
const MAX_LINE = 300;

interface Line {
  readonly text: string;
  readonly style?: Style;
}

/** The lines of a result that a person sees, and the largest number of lines to show. */
interface Shown {
  readonly lines: readonly Line[];
  readonly max?: number;
}

const linesOf = (text: string): Line[] =>
  text.trim() === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => ({ text: line }));

const listIn = (fields: JsonObject, name: string): readonly unknown[] => {
  const value = fields[name];
  return Array.isArray(value) ? (value as unknown[]) : [];
};

const diffLine = (text: string): Line => {
  if (text.startsWith("+")) return { text, style: "green" };
  return text.startsWith("-") ? { text, style: "red" } : { text };
};

function command(fields: JsonObject): Shown {
  const code = fields["exitCode"];
  const lines = linesOf([textOf(fields["stdout"]), textOf(fields["stderr"])].filter((text) => text !== "").join("\n"));
  if (code === 0) return { lines: lines.length === 0 ? [{ text: "exit 0, no output" }] : lines };
  return { lines: [{ text: textOf(fields["returnCodeInterpretation"]) || `exit ${String(code)}` }, ...lines] };
}

/** The added and removed lines of a change, without the unchanged lines. */
function change(fields: JsonObject): Shown {
  const hunks = listIn(fields, "structuredPatch") as readonly { readonly lines?: unknown }[];
  const lines = hunks
    .flatMap((hunk) => (Array.isArray(hunk.lines) ? hunk.lines.map(String) : []))
    .filter((line) => /^[+-]/.test(line));
  if (lines.length > 0) return { lines: lines.map(diffLine), max: MAX_DIFF_LINES };
  const count = textOf(fields["content"]).split("\n").length;
  return { lines: [{ text: fields["type"] === "create" ? `created, ${plural(count, "line")}` : "no change" }] };
}

function search(fields: JsonObject): Shown {
  const found = textOf(fields["content"]);
  const lines = found === "" ? listIn(fields, "filenames").map((path) => ({ text: String(path) })) : linesOf(found);
  return { lines: lines.length === 0 ? [{ text: "nothing found" }] : lines };
}

function page(file: JsonObject): Shown {
  const count = file["numLines"];
  const lines = typeof count === "number" ? count : textOf(file["content"]).split("\n").length;
  return { lines: [{ text: plural(lines, "line") }] };
}

const TODO_MARKS: Readonly<Record<string, string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

function todos(fields: JsonObject): Shown {
  const items = listIn(fields, "newTodos") as readonly { readonly content?: unknown; readonly status?: unknown }[];
  const lines = items.map(({ content, status }) => ({
    text: `${TODO_MARKS[String(status)] ?? ""} ${String(content)}`,
  }));
  return { lines, max: MAX_DIFF_LINES };
}

/**
 * Picks the part of a result that a person should see. claw's tools answer with JSON objects, other tools with any
 * text.
 */
function readResult(output: string): Shown {
  const fields = parseObject(output);
  if (fields === undefined) return { lines: linesOf(output) };
  const { file } = fields;
  if ("stdout" in fields) return command(fields);
  if ("structuredPatch" in fields) return change(fields);
  if ("newTodos" in fields) return todos(fields);
  if ("filenames" in fields) return search(fields);
  if (typeof file === "object" && file !== null) return page(file as JsonObject);
  return { lines: linesOf(textOf(fields["result"]) || output) };
}

/** The first lines of a call's result. */
export function resultLines(output: string, isError: boolean, columns: number): Span[] {
  const { lines, max = MAX_LINES } = readResult(output);
  const room = Math.min(MAX_LINE, columns - 4);
  const shown: Line[] = lines.length === 0 ? [{ text: "(nothing)" }] : lines.slice(0, max);
  const more = lines.length - max;
  const all = more > 0 ? [...shown, { text: `… ${plural(more, "more line")}` }] : shown;
  return all.map(({ text, style = isError ? "red" : "dim" }, index) => ({
    text: `${index === 0 ? "  └ " : "    "}${cutToWidth(text.replaceAll("\t", "  ").trimEnd(), room)}\n`,
    styles: [style],
  }));
}
