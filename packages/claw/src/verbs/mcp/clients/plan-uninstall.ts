import type { ConfigFile } from "./config-file.ts";
import { encodeConfig } from "./config-file.ts";
import type { ConfigFormat, EntryMembers } from "./config-format.ts";
import type { ConfigStore } from "./config-store.ts";
import type { ConfigChange } from "./edit-config.ts";
import type { McpClient } from "./mcp-clients.ts";
import { isClawServer } from "./server-line.ts";
import { showEdits } from "./show-edits.ts";
import { applyEdits } from "./text-edit.ts";

export interface UninstallPlan {
  /** Undefined when the file has no entry of claw. */
  readonly change: ConfigChange | undefined;
  readonly diff: string;
  /** Whether the file gets back its bytes from before the installation. */
  readonly restored: boolean;
  /** Whether a server of the same name is there that is not claw's. */
  readonly isForeign: boolean;
}

interface Removal {
  readonly client: McpClient;
  readonly format: ConfigFormat;
}

const isOurs = (client: McpClient, entry: EntryMembers | undefined): boolean =>
  entry !== undefined && isClawServer(client.argvOf(entry));

/** The bytes from before the installation, unless they hold an entry of claw too. */
function cleanOriginal(file: ConfigFile, { client, format }: Removal, store: ConfigStore): Buffer | null | undefined {
  const original = store.original(file);
  if (original === undefined || original === null) return original;
  const text = original.toString("utf8").replace(/^\uFEFF/, "");
  return isOurs(client, format.read({ path: file.named, text }, client.place)) ? undefined : original;
}

/** Removes claw's entry. A file without edits since the installation gets its bytes back. */
export function planUninstall(file: ConfigFile, removal: Removal, store: ConfigStore): UninstallPlan {
  const { client, format } = removal;
  const document = { path: file.named, text: file.text };
  const present = file.bytes === undefined ? undefined : format.read(document, client.place);
  if (present === undefined || !isOurs(client, present)) {
    return { change: undefined, diff: "", restored: false, isForeign: present !== undefined };
  }
  const edits = format.remove(document, client.place);
  const original = cleanOriginal(file, removal, store);
  const bytes = original === undefined ? encodeConfig(file, applyEdits(file.text, edits)) : original;
  const diff = showEdits(file.text, edits, client.argvOf(present) ?? []);
  return { change: { bytes, occasion: "uninstall" }, diff, restored: original !== undefined, isForeign: false };
}
