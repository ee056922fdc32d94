import { isDeepStrictEqual } from "node:util";
import type { AST } from "toml-eslint-parser";
import { getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import type { ConfigDocument, ConfigFormat, EntryMembers } from "./config-format.ts";
import { ClawError } from "claw-contract";
import { badConfig } from "./config-format.ts";
import type { TextEdit } from "./text-edit.ts";
import { applyEdits, lineEndOf } from "./text-edit.ts";

type Part = AST.TOMLTable | AST.TOMLKeyValue;

function parse({ path, text }: ConfigDocument): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "1.1" });
  } catch (error) {
    if (error instanceof RangeError) throw badConfig(path, "is nested too deeply");
    if (!(error instanceof ParseError)) throw error;
    throw badConfig(path, `is no TOML (${error.message})`, { line: error.lineNumber, column: error.column + 1 });
  }
}

/** The names of a key: bare and quoted names mean the same. */
const namesOf = (key: AST.TOMLKey): string[] =>
  key.keys.map((name) => (name.type === "TOMLBare" ? name.name : name.value));

const beginsWith = (names: readonly unknown[], place: readonly string[]): boolean =>
  place.every((name, index) => names[index] === name);

/** Tables and top-level members that define the entry or a part of it, in the order of the file. */
function partsOf(program: AST.TOMLProgram, place: readonly string[]): Part[] {
  return program.body[0].body.flatMap((node): Part[] => {
    if (node.type === "TOMLKeyValue") return beginsWith(namesOf(node.key), place) ? [node] : [];
    if (beginsWith(node.resolvedKey, place)) return [node];
    return node.body.filter(({ key }) => beginsWith([...node.resolvedKey, ...namesOf(key)], place));
  });
}

function at(value: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((inner, name) => {
    const isTable = typeof inner === "object" && inner !== null && Object.hasOwn(inner, name);
    return isTable ? (inner as Record<string, unknown>)[name] : undefined;
  }, value);
}

function read(document: ConfigDocument, place: readonly string[]): EntryMembers | undefined {
  const value = at(getStaticTOMLValue(parse(document)), place);
  if (value === undefined) return undefined;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as EntryMembers;
  throw badConfig(document.path, `${place.join(".")} is no table`);
}

/** A value of an entry: texts, lists of texts, and truth values. A text of JSON is a basic string of TOML. */
const render = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(render).join(", ")}]` : JSON.stringify(value).replaceAll("\u007f", "\\u007f");

/** An entry as a table, with a table below it for each member that holds members. */
function renderTable(place: readonly string[], entry: EntryMembers, lineEnd: string): string {
  const isTable = (value: unknown): value is EntryMembers =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const members = Object.entries(entry);
  const lines = members.filter(([, value]) => !isTable(value)).map(([name, value]) => `${name} = ${render(value)}`);
  const inner = members.flatMap(([name, value]) =>
    isTable(value) ? [`${lineEnd}${renderTable([...place, name], value, lineEnd)}`] : [],
  );
  return [`[${place.join(".")}]`, ...lines, ""].join(lineEnd) + inner.join("");
}

/** Behind everything else, where a table cannot take members of another table. */
function add({ path, text }: ConfigDocument, place: readonly string[], entry: EntryMembers): TextEdit[] {
  parse({ path, text });
  const lineEnd = lineEndOf(text);
  const gap = text === "" ? "" : text.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  const table = `${gap}${renderTable(place, entry, lineEnd)}`;
  try {
    parse({ path, text: text + table });
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    throw badConfig(path, `${place[0]} is written so that no table can be added to it`);
  }
  return [{ start: text.length, end: text.length, text: table }];
}

/** The whole lines of a part, with its comment behind the last line and one empty line before. */
function linesOfPart(text: string, { range: [from, to] }: Part): TextEdit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const next = text.indexOf("\n", to);
  const end = next === -1 ? text.length : next + 1;
  const gap = /(?:^|\n)(\r?\n)$/.exec(text.slice(0, start))?.[1] ?? "";
  return { start: start - gap.length, end, text: "" };
}

/** Removes the lines of an entry. Refuses a member of an inline table, which shares its line with other members. */
function remove(document: ConfigDocument, place: readonly string[]): TextEdit[] {
  const parts = partsOf(parse(document), place);
  const edits = parts.map((part) => linesOfPart(document.text, part));
  if (parts.length === 0 && read(document, place) !== undefined) {
    throw badConfig(document.path, `${place.join(".")} stands in an inline table, which claw does not edit`);
  }
  return edits.flatMap((edit, index) => {
    const before = edits[index - 1];
    return before !== undefined && edit.start < before.end ? [{ ...edit, start: before.end }] : [edit];
  });
}

/** The member of an entry with this name, wherever it stands. */
function memberOf(program: AST.TOMLProgram, place: readonly string[], name: string): AST.TOMLKeyValue | undefined {
  const wanted = [...place, name];
  for (const part of partsOf(program, place)) {
    const owner = part.type === "TOMLTable" ? part.resolvedKey : [];
    const members = part.type === "TOMLTable" ? part.body : [part];
    const found = members.find(({ key }) => isDeepStrictEqual([...owner, ...namesOf(key)], wanted));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The table whose header names the entry. */
const headerOf = (program: AST.TOMLProgram, place: readonly string[]): AST.TOMLTable | undefined =>
  partsOf(program, place).find(
    (part): part is AST.TOMLTable => part.type === "TOMLTable" && isDeepStrictEqual(part.resolvedKey, [...place]),
  );

/** Where the line that holds a place ends. */
function lineEndAt(text: string, place: number): number {
  const rest = text.slice(place).search(/\r?\n/);
  return rest === -1 ? text.length : place + rest;
}

function change(document: ConfigDocument, place: readonly string[], members: EntryMembers): TextEdit[] {
  const program = parse(document);
  const present = read(document, place) ?? {};
  const header = headerOf(program, place);
  return Object.entries(members).flatMap(([name, value]): TextEdit[] => {
    if (isDeepStrictEqual(present[name], value)) return [];
    const member = memberOf(program, place, name);
    const [start, end] = member?.value.range ?? [];
    if (start !== undefined && end !== undefined) return [{ start, end, text: render(value) }];
    if (header === undefined || (typeof value === "object" && !Array.isArray(value))) {
      throw badConfig(document.path, `${place.join(".")} has no ${name} that claw can change; remove the entry first`);
    }
    const at = lineEndAt(document.text, header.key.range[1]);
    return [{ start: at, end: at, text: `${lineEndOf(document.text)}${name} = ${render(value)}` }];
  });
}

/** TOML. An entry is added as a table of its own. */
export const tomlFormat: ConfigFormat = {
  read,
  add,
  change,
  remove,
  replace: (document, place, entry) => {
    const edits = remove(document, place);
    const rest = { ...document, text: applyEdits(document.text, edits) };
    const added = add(rest, place, entry).map(({ text }) => ({
      start: document.text.length,
      end: document.text.length,
      text,
    }));
    return [...edits, ...added];
  },
};
