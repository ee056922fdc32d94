import type { JSONScanner, Node } from "jsonc-parser";
import { createScanner } from "jsonc-parser";
import type { TextEdit } from "./text-edit.ts";
import { lineEndOf } from "./text-edit.ts";

/** Indentation of a value that takes several lines. Without a style, a value takes one line. */
export interface JsonStyle {
  /** The text that indents a line by one level. */
  readonly unit: string;
  /** Indentation of the line in which the value begins. */
  readonly indent: string;
  readonly lineEnd: string;
}

export function renderValue(value: unknown, style: JsonStyle | undefined): string {
  if (style === undefined) return JSON.stringify(value);
  const { unit, indent, lineEnd } = style;
  return JSON.stringify(value, null, unit).replaceAll("\n", `${lineEnd}${indent}`);
}

/** Kinds of tokens that jsonc-parser names by a constant enum, which cannot be imported as a value. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, trivia: 15 } as const;

const endOf = ({ offset, length }: Node): number => offset + length;

/** The indentation of the line that holds a place. */
const indentAt = (text: string, place: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", place - 1) + 1, place))?.[0] ?? "";

/** Whether only spaces stand before a place in its line. */
const beginsLine = (text: string, place: number): boolean =>
  text.slice(text.lastIndexOf("\n", place - 1) + 1, place).trim() === "" && text.lastIndexOf("\n", place - 1) !== -1;

interface After {
  /** The comma that follows; undefined when none does. */
  readonly comma: number | undefined;
  /** Where the line ends, behind comments; undefined when more follows in the line. */
  readonly lineEnd: number | undefined;
}

/** What follows a member up to the next member, the end of the object, or the end of the line. */
function lookAfter(text: string, place: number): After {
  const scanner: JSONScanner = createScanner(text, false);
  scanner.setPosition(place);
  let comma: number | undefined;
  let lineEnd: number | undefined;
  for (;;) {
    const token = scanner.scan() as number;
    if (token === TOKEN.comma && comma === undefined) comma = scanner.getTokenOffset();
    else if (token === TOKEN.lineBreak) lineEnd ??= scanner.getTokenOffset();
    else if (token !== TOKEN.lineComment && token !== TOKEN.blockComment && token !== TOKEN.trivia) break;
    if (comma !== undefined && lineEnd !== undefined) break;
  }
  // A comma on a later line: the line of the member ends before it.
  return { comma, lineEnd };
}

/** Puts a member behind the last member of an object, in the style of the object. */
export function insertMember(
  text: string,
  object: Node,
  { name, value }: { readonly name: string; readonly value: unknown },
): TextEdit[] {
  const lineEnd = lineEndOf(text);
  const [first] = object.children ?? [];
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset + 1);
  const unit = outer.includes("\t") ? "\t" : "  ";
  if (first === undefined || last === undefined) return fillObject(text, object, { name, value, unit });
  const isSpread = beginsLine(text, first.offset);
  const indent = indentAt(text, last.offset);
  const step = isSpread && indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : unit;
  const style = isSpread ? { unit: step, indent, lineEnd } : undefined;
  const member = `${JSON.stringify(name)}: ${renderValue(value, style)}`;
  const joined = isSpread ? `${lineEnd}${indent}${member}` : ` ${member}`;
  const after = lookAfter(text, endOf(last));
  const isTrailing = after.comma !== undefined;
  const behind = isTrailing ? Math.max((after.comma ?? 0) + 1, endOf(last)) : endOf(last);
  const at = isSpread && after.lineEnd !== undefined && after.lineEnd >= behind ? after.lineEnd : behind;
  const insert = { start: at, end: at, text: isTrailing ? `${joined},` : joined };
  return isTrailing ? [insert] : [{ start: endOf(last), end: endOf(last), text: "," }, insert];
}

/** Puts the first member into an object that has none. */
function fillObject(
  text: string,
  object: Node,
  { name, value, unit }: { readonly name: string; readonly value: unknown; readonly unit: string },
): TextEdit[] {
  const lineEnd = lineEndOf(text);
  const outer = indentAt(text, object.offset + 1);
  const indent = outer + unit;
  const start = object.offset + 1;
  const inside = text.slice(start, endOf(object) - 1);
  const member = `${JSON.stringify(name)}: ${renderValue(value, { unit, indent, lineEnd })}`;
  const tail = inside.includes("\n") ? "" : `${lineEnd}${outer}`;
  return [{ start, end: start, text: `${lineEnd}${indent}${member}${tail}` }];
}

/** The place behind the last character before `place` that is no space of the same line, or of the line break before. */
function leadOf(text: string, place: number): number {
  let end = place;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  const line = text.slice(0, end);
  return line.endsWith("\n") ? line.replace(/\r?\n$/, "").length : line.length;
}

/** Removes a member and the comma beside the member. Comments stay. */
export function removeMember(text: string, object: Node, member: Node): TextEdit[] {
  const members = object.children ?? [];
  const index = members.indexOf(member);
  const before = members[index - 1];
  const start = leadOf(text, member.offset);
  const { comma } = lookAfter(text, endOf(member));
  if (comma !== undefined) return [...cut(start, endOf(member)), ...cut(comma, comma + 1)];
  if (before === undefined) return emptyObject(text, object, { start, end: endOf(member) });
  const joint = lookAfter(text, endOf(before)).comma;
  return [...(joint === undefined ? [] : cut(joint, joint + 1)), ...cut(start, endOf(member))];
}

const cut = (start: number, end: number): TextEdit[] => [{ start, end, text: "" }];

/** Removes the only member. When nothing else is in the object, no space stays either. */
function emptyObject(text: string, object: Node, member: { readonly start: number; readonly end: number }): TextEdit[] {
  const [from, to] = [object.offset + 1, endOf(object) - 1];
  const isAlone = (text.slice(from, member.start) + text.slice(member.end, to)).trim() === "";
  return isAlone ? cut(from, to) : cut(member.start, member.end);
}
