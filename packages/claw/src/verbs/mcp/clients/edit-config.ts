import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { acquireLock, createAtomicFile, errnoOf, openOwnFolder, withFileErrors } from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { ConfigFile } from "./config-file.ts";
import { readConfigFile, requireWritable } from "./config-file.ts";
import type { ConfigStore } from "./config-store.ts";
import { openConfigStore } from "./config-store.ts";
import type { McpScope } from "./mcp-clients.ts";

/** A change of a client's file: new bytes, or null for its removal. */
export interface ConfigChange {
  readonly bytes: Uint8Array | null;
  readonly occasion: "install" | "uninstall";
}

/** One attempt to edit a client's file: the file before, the plan, and the path of the backup. */
export interface ConfigEdit<Plan> {
  readonly file: ConfigFile;
  readonly plan: Plan;
  readonly backup: string | null;
}

export interface EditRequest<Plan> {
  readonly named: string;
  readonly scope: McpScope;
  /** Pure: decides by the file as it is. Runs again when another program changed the file meanwhile. */
  readonly plan: (file: ConfigFile, store: ConfigStore) => Plan;
  readonly dryRun: boolean;
}

const busy = (path: string, why: string): ClawError =>
  new ClawError("MCP_CLIENT_CONFIG_BUSY", `${path} ${why}`, { operation: "edit_client_config", target: path });

const isSame = (left: ConfigFile, right: ConfigFile): boolean =>
  left.path === right.path &&
  (left.bytes === undefined || right.bytes === undefined ? left.bytes === right.bytes : left.bytes.equals(right.bytes));

/** Puts new bytes in place, unless the file has changed since it was read; then answers false and changes nothing. */
function commit(
  file: ConfigFile,
  bytes: Uint8Array | null,
  check: { isUnchanged: () => boolean; ports: Ports },
): boolean {
  const { path, mode } = file;
  const { isUnchanged, ports } = check;
  return withFileErrors("save", path, () => {
    if (bytes === null) {
      if (!isUnchanged()) return false;
      ports.files.unlinkSync(path);
      return true;
    }
    mkdirSync(dirname(path), { recursive: true });
    const fresh = createAtomicFile(ports.files, path, mode);
    try {
      fresh.write(bytes);
      if (!isUnchanged()) return false;
      fresh.commit({ exclusive: file.bytes === undefined });
      return true;
    } catch (error) {
      if (file.bytes === undefined && errnoOf(error) === "EEXIST") return false;
      throw error;
    } finally {
      fresh.discard();
    }
  });
}

async function withLock<T>(path: string, store: ConfigStore, parts: { ports: Ports; run: () => T }): Promise<T> {
  const { ports, run } = parts;
  openOwnFolder(dirname(store.lockPath));
  const request = { path: store.lockPath, waitMs: LIMITS.lockWaitMs };
  const attempt = await acquireLock(ports.files, request, ports.signal);
  if (attempt.kind === "held") throw busy(path, "is being edited by another call of claw");
  try {
    return run();
  } finally {
    attempt.lock.release();
  }
}

/**
 * Edits a client's file: reads it, plans, keeps a copy of it, and replaces it at once. When another program changes the
 * file meanwhile, begins anew. A dry run and a plan without a change write nothing. Throws MCP_CLIENT_CONFIG_BUSY when
 * the file is never left alone; the file holds then what the other program wrote.
 */
export async function editConfig<Plan extends { readonly change: ConfigChange | undefined }>(
  { named, scope, plan: decide, dryRun }: EditRequest<Plan>,
  ports: Ports,
): Promise<ConfigEdit<Plan>> {
  const read = (): ConfigFile => readConfigFile(named, scope, ports.cwd);
  const first = read();
  const store = openConfigStore(first.path, ports);
  const attempt = (file: ConfigFile): ConfigEdit<Plan> | undefined => {
    const plan = decide(file, store);
    const { change } = plan;
    if (change === undefined) return { file, plan, backup: null };
    requireWritable(file);
    if (dryRun) return { file, plan, backup: null };
    const backup = store.backUp(file, change.occasion);
    if (change.occasion === "install" && change.bytes !== null) store.noteInstall(file, change.bytes);
    return commit(file, change.bytes, { isUnchanged: () => isSame(read(), file), ports })
      ? { file, plan, backup }
      : undefined;
  };
  const attempts = (): ConfigEdit<Plan> => {
    for (let tries = 0; tries < LIMITS.mcpClientConfigTries; tries += 1) {
      const done = attempt(read());
      if (done !== undefined) return done;
    }
    throw busy(named, "is changed again and again by another program");
  };
  if (dryRun || decide(first, store).change === undefined) return attempt(first) ?? attempts();
  return withLock(named, store, { ports, run: attempts });
}
