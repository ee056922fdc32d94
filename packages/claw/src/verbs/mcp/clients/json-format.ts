import { isDeepStrictEqual } from "node:util";
import type { Node, ParseError } from "jsonc-parser";
import { getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { ConfigDocument, ConfigFormat, EntryMembers } from "./config-format.ts";
import { badConfig } from "./config-format.ts";
import { insertMember, removeMember, renderValue } from "./json-member.ts";
import type { TextEdit } from "./text-edit.ts";
import { lineEndOf, editPlaceOf } from "./text-edit.ts";

const OPTIONS = { allowTrailingComma: true } as const;

function problem({ path, text }: ConfigDocument, why: string, offset: number): Error {
  return badConfig(path, why, editPlaceOf(text, offset));
}

function parse(document: ConfigDocument): Node | undefined {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(document.text, errors, OPTIONS);
    const [first] = errors;
    if (document.text.trim() === "") return undefined;
    if (first !== undefined) throw problem(document, `is no JSON (${printParseErrorCode(first.error)})`, first.offset);
    return root;
  } catch (error) {
    if (error instanceof RangeError) throw badConfig(document.path, "is nested too deeply");
    throw error;
  }
}

/** The member of an object with this name; undefined when there is none. Throws when there are several. */
function memberOf(document: ConfigDocument, object: Node, name: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children: [key] = [] }) => key?.value === name);
  const second = found[1];
  if (second !== undefined) throw problem(document, `the member "${name}" is there twice`, second.offset);
  return found[0];
}

interface Found {
  /** The innermost object of the place that exists; undefined in an empty file. */
  readonly object: Node | undefined;
  /** The names that are missing in `object`, outermost first. Empty when the entry exists. */
  readonly missing: readonly string[];
  /** The member that is the entry. */
  readonly member: Node | undefined;
}

function requireObject(document: ConfigDocument, node: Node | undefined, name: string): Node {
  if (node?.type === "object") return node;
  throw problem(document, `${name} is no object`, node?.offset ?? 0);
}

function find(document: ConfigDocument, place: readonly string[]): Found {
  const root = parse(document);
  if (root === undefined) return { object: undefined, missing: place, member: undefined };
  let object = requireObject(document, root, "the file");
  for (const [index, name] of place.entries()) {
    const member = memberOf(document, object, name);
    if (member === undefined) return { object, missing: place.slice(index), member: undefined };
    if (index === place.length - 1) return { object, missing: [], member };
    object = requireObject(document, member.children?.[1], `"${name}"`);
  }
  return { object, missing: [], member: undefined };
}

const nest = (names: readonly string[], entry: unknown): unknown =>
  names.reduceRight((inner, name) => ({ [name]: inner }), entry);

function valueOf(document: ConfigDocument, place: readonly string[]): Node {
  const { member } = find(document, place);
  const value = member?.children?.[1];
  if (value === undefined) throw badConfig(document.path, `has no entry ${place.join(".")}`);
  return value;
}

function add(document: ConfigDocument, place: readonly string[], entry: EntryMembers): TextEdit[] {
  const { object, missing } = find(document, place);
  const [name = "", ...inner] = missing;
  if (object !== undefined) return insertMember(document.text, object, { name, value: nest(inner, entry) });
  const end = lineEndOf(document.text);
  const whole = renderValue(nest(missing, entry), { unit: "  ", indent: "", lineEnd: end });
  return [{ start: 0, end: document.text.length, text: `${whole}${end}` }];
}

function replace(document: ConfigDocument, place: readonly string[], entry: EntryMembers): TextEdit[] {
  const { offset, length } = valueOf(document, place);
  const line = document.text.slice(document.text.lastIndexOf("\n", offset) + 1, offset);
  const isInline = !document.text.slice(offset, offset + length).includes("\n");
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const style = isInline
    ? undefined
    : { unit: unitOf(indent, place.length), indent, lineEnd: lineEndOf(document.text) };
  return [{ start: offset, end: offset + length, text: renderValue(entry, style) }];
}

/** One step of indentation, from the indentation of a member at this depth. */
function unitOf(indent: string, depth: number): string {
  if (indent.includes("\t")) return "\t";
  return " ".repeat(Math.max(2, Math.floor(indent.length / depth)));
}

function read(document: ConfigDocument, place: readonly string[]): EntryMembers | undefined {
  const { member } = find(document, place);
  if (member === undefined) return undefined;
  const value = requireObject(document, member.children?.[1], `"${place.at(-1)}"`);
  // The parser makes objects without a prototype, which are never equal to others.
  return structuredClone(getNodeValue(value)) as EntryMembers;
}

/** JSON with comments and trailing commas. */
export const jsonFormat: ConfigFormat = {
  read,
  add,
  replace,
  change: (document, place, members) => {
    const present = read(document, place) ?? {};
    const wanted = { ...present, ...members };
    return isDeepStrictEqual(present, wanted) ? [] : replace(document, place, wanted);
  },
  remove: (document, place) => {
    const { object, member } = find(document, place);
    if (object === undefined || member === undefined) return [];
    return removeMember(document.text, object, member);
  },
};
