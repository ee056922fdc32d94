import { ClawError } from "claw-contract";
import type { TextEdit } from "./text-edit.ts";

/** The members of a server's entry, as plain data. */
export type EntryMembers = Readonly<Record<string, unknown>>;

/** A configuration file that is being edited. The text has no byte order mark. */
export interface ConfigDocument {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads and edits one entry of a configuration file, by a parser of its format. `place` names the entry: the members
 * from the top of the file down to it. All methods throw MCP_CLIENT_CONFIG_INVALID for a file that they do not
 * understand, and change nothing. Edits leave every character outside of the entry as it is, but for the comma that
 * joins the entry to its neighbour.
 */
export interface ConfigFormat {
  /** The entry; undefined when there is none. */
  read(document: ConfigDocument, place: readonly string[]): EntryMembers | undefined;
  add(document: ConfigDocument, place: readonly string[], entry: EntryMembers): TextEdit[];
  /** Gives members of the present entry new values; the other members stay. */
  change(document: ConfigDocument, place: readonly string[], members: EntryMembers): TextEdit[];
  /** Puts an entry in the place of the present one. */
  replace(document: ConfigDocument, place: readonly string[], entry: EntryMembers): TextEdit[];
  remove(document: ConfigDocument, place: readonly string[]): TextEdit[];
}

export function badConfig(
  path: string,
  why: string,
  at?: { readonly line: number; readonly column: number },
): ClawError {
  const where = at === undefined ? "" : `:${at.line}:${at.column}`;
  return new ClawError("MCP_CLIENT_CONFIG_INVALID", `${path}${where}: ${why}`, {
    operation: "read_client_config",
    target: path,
    ...(at === undefined ? {} : { details: { ...at } }),
  });
}
