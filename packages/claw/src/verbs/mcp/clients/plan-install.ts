import { isDeepStrictEqual } from "node:util";
import { ClawError } from "claw-contract";
import type { ConfigFile } from "./config-file.ts";
import { encodeConfig } from "./config-file.ts";
import type { ConfigFormat, EntryMembers } from "./config-format.ts";
import { badConfig } from "./config-format.ts";
import type { ConfigChange } from "./edit-config.ts";
import type { McpClient, ServerLine } from "./mcp-clients.ts";
import { isClawServer } from "./server-line.ts";
import { showEdits } from "./show-edits.ts";
import type { TextEdit } from "./text-edit.ts";
import { applyEdits } from "./text-edit.ts";

export interface InstallPlan {
  /** Undefined when the entry is as wanted. */
  readonly change: ConfigChange | undefined;
  readonly diff: string;
  /** Whether the file has no entry of this name yet. */
  readonly isNew: boolean;
}

export interface WantedEntry {
  readonly client: McpClient;
  readonly format: ConfigFormat;
  readonly line: ServerLine;
  /** Whether a server of the same name that is not claw's is replaced. */
  readonly replace: boolean;
}

/** Members that the user may have given other values, and that are kept. */
const KEPT = new Set(["env", "environment", "enabled"]);

/** The members of the entry: the command of the server is replaced, and the user's variables stay beside claw's. */
function membersFor(present: EntryMembers, wanted: EntryMembers): EntryMembers {
  const members = Object.entries(wanted).map(([name, value]) => {
    if (!KEPT.has(name)) return [name, value] as const;
    const isTable = typeof value === "object" && value !== null;
    return [name, isTable ? { ...(present[name] as object), ...value } : (present[name] ?? value)] as const;
  });
  return Object.fromEntries(members);
}

function takenError(path: string, place: readonly string[]): ClawError {
  return new ClawError("MCP_CLIENT_ENTRY_TAKEN", `${path} has another server at ${place.join(".")}`, {
    operation: "edit_client_config",
    target: path,
  });
}

function editsFor(
  document: { path: string; text: string },
  wanted: WantedEntry,
): { edits: TextEdit[]; isNew: boolean } {
  const { client, format, line, replace } = wanted;
  const { place } = client;
  const entry = client.entry(line);
  const present = format.read(document, place);
  if (present === undefined) return { edits: format.add(document, place, entry), isNew: true };
  if (isClawServer(client.argvOf(present))) {
    return { edits: format.change(document, place, membersFor(present, entry)), isNew: false };
  }
  if (!replace) throw takenError(document.path, place);
  return { edits: format.replace(document, place, entry), isNew: false };
}

/** The edits of a client's file that make the client start claw's server. Throws when the edits would not do that. */
export function planInstall(file: ConfigFile, wanted: WantedEntry): InstallPlan {
  const { client, format, line } = wanted;
  const document = { path: file.named, text: file.text };
  const { edits, isNew } = editsFor(document, wanted);
  if (edits.length === 0) return { change: undefined, diff: "", isNew };
  const text = applyEdits(file.text, edits);
  const written = format.read({ ...document, text }, client.place);
  if (written === undefined || !isDeepStrictEqual(client.argvOf(written), [...line.argv])) {
    throw badConfig(file.named, `cannot take the entry ${client.place.join(".")}`);
  }
  const diff = showEdits(file.text, edits, [...line.argv, ...Object.keys(line.env), ...Object.values(line.env)]);
  return { change: { bytes: encodeConfig(file, text), occasion: "install" }, diff, isNew };
}
