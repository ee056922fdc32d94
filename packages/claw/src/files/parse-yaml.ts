import { FLEET_LIMITS, isObject } from "claw-contract";
import type { Document } from "yaml";
import { isNode, LineCounter, parseDocument, Parser } from "yaml";

export interface PlacedValue {
  readonly kind: "value";
  readonly value: unknown;
  /** The line of what lies at a path, or of the nearest thing around it. */
  lineAt(path: readonly PropertyKey[]): number | null;
}

export interface Unreadable {
  readonly kind: "unreadable";
  readonly problems: readonly { readonly line: number | null; readonly message: string }[];
}

function startOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

/** The first line says what is wrong; the rest shows the text around it. */
const headline = (message: string): string => (message.split("\n")[0] ?? message).split(/ at line \d/, 1)[0] ?? "";

/** The parts of a piece of the text that is not understood yet. */
function partsOf(token: Readonly<Record<string, unknown>>): unknown[] {
  const { items, key, value } = token;
  return [...(Array.isArray(items) ? (items as unknown[]) : []), key, value];
}

/** Whether the text is nested deeper than can be read. Looks at it without going deeper itself. */
function isTooDeep(text: string): boolean {
  for (const root of new Parser().parse(text)) {
    const left: { readonly token: unknown; readonly depth: number }[] = [{ token: root, depth: 0 }];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { token, depth } = next;
      if (depth > FLEET_LIMITS.depth) return true;
      if (isObject(token)) for (const part of partsOf(token)) left.push({ token: part, depth: depth + 1 });
    }
  }
  return false;
}

const unreadable = (message: string): Unreadable => ({ kind: "unreadable", problems: [{ line: null, message }] });

/**
 * Plain data from YAML, of which JSON is a part. Names for repeated parts cannot make it grow without bound. With the
 * schema `failsafe`, every value that is no list or map is a text.
 */
export function parseYaml(text: string, schema: "core" | "failsafe" = "core"): PlacedValue | Unreadable {
  const source = text.replace(/^\uFEFF/, "");
  if (isTooDeep(source)) return unreadable("it is nested too deeply");
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: true, schema });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos }) => ({
      line: lines.linePos(pos[0]).line,
      message: headline(message),
    }));
    return { kind: "unreadable", problems };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: FLEET_LIMITS.aliases });
    const lineAt = (path: readonly PropertyKey[]): number | null => {
      const start = startOf(document, path);
      return start === undefined ? null : lines.linePos(start).line;
    };
    return { kind: "value", value, lineAt };
  } catch (error) {
    // Names that are not there, or would repeat too much, are noticed only now.
    return unreadable(error instanceof Error ? headline(error.message) : "it cannot be read");
  }
}
