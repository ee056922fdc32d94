import { expect, test } from "vitest";
import type { ConfigFormat, EntryMembers } from "./config-format.ts";
import { applyEdits } from "./text-edit.ts";

/** Texts of one format, for the tests that every format passes. */
export interface FormatSamples {
  readonly place: readonly string[];
  /** Texts without the entry; the name says what is special. */
  readonly without: Readonly<Record<string, string>>;
  /** Texts that are refused, with a part of the reason. */
  readonly refused: Readonly<Record<string, readonly [text: string, reason: RegExp]>>;
}

export const ENTRY: EntryMembers = { command: "/opt/node", args: ['C:\\x "y"', "mcp", "serve"], env: { A: "b\u007f" } };

export function describeFormat(format: ConfigFormat, { place, without, refused }: FormatSamples): void {
  const document = (text: string) => ({ path: "/home/me/config", text });
  const added = (text: string): string => applyEdits(text, format.add(document(text), place, ENTRY));

  test.each(Object.entries(without))("%s: an entry is added, and every other character stays", (_name, text) => {
    const after = added(text);
    expect(format.read(document(text), place)).toBeUndefined();
    expect(format.read(document(after), place)).toEqual(ENTRY);
    let at = 0;
    for (const character of text) at = after.indexOf(character, at) + 1 || Infinity;
    expect(at).toBeLessThanOrEqual(after.length);
  });

  test.each(Object.entries(without))("%s: an added entry changes, keeps what it has, and goes", (_name, text) => {
    const after = added(text);
    const args = ["other"];
    const changed = applyEdits(after, format.change(document(after), place, { args }));
    expect(format.read(document(changed), place)).toEqual({ ...ENTRY, args });
    expect(format.change(document(changed), place, { args })).toEqual([]);
    const gone = applyEdits(changed, format.remove(document(changed), place));
    expect(format.read(document(gone), place)).toBeUndefined();
    expect(format.remove(document(gone), place)).toEqual([]);
    const replaced = applyEdits(after, format.replace(document(after), place, { command: "x", args: [] }));
    expect(format.read(document(replaced), place)).toEqual({ command: "x", args: [] });
  });

  test.each(Object.entries(refused))("%s: is refused, with the place", (_name, [text, reason]) => {
    expect(() => added(text)).toThrow(reason);
    expect(() => added(text)).toThrow(expect.objectContaining({ code: "MCP_CLIENT_CONFIG_INVALID" }) as Error);
  });
}
