import { existsSync, lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { VerbOutput } from "claw-contract";
import { LIMITS } from "claw-contract";
import { findDaemon } from "../../../daemon/index.ts";
import { isForeign, readSmallFile, stateFolder, stateHome } from "../../../files/index.ts";
import { completionFiles } from "../../about/completion/completion-files.ts";
import { writeCompletion } from "../../about/completion/write-completion.ts";
import { CLIENT_COPIES } from "../../mcp/clients/config-store.ts";
import type { Ports } from "../../runtime/handle.ts";
import { readService } from "../../service/service-file.ts";
import { planService } from "../../service/service-plan.ts";

type What = VerbOutput<"uninstall">["removed"][number]["what"];

export interface Trace {
  readonly what: What;
  readonly path: string;
}

export type Kept = VerbOutput<"uninstall">["kept"][number];

const SHELLS = ["bash", "zsh", "fish"] as const;

/** A folder of this user, and no link. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isDirectory() && !isForeign(stats);
}

function completionTraces(ports: Ports): Trace[] {
  if (!isAbsolute(ports.env["HOME"] ?? "")) return [];
  const changes = SHELLS.flatMap((shell) =>
    writeCompletion(completionFiles(shell, ports.env), "uninstall", { dryRun: true, ports }),
  );
  return changes.filter(({ effect }) => effect !== "noop").map(({ path }) => ({ what: "completion", path }));
}

/** Services are known on Linux and macOS only. */
function serviceTraces(ports: Ports): Trace[] {
  if (process.platform !== "linux" && process.platform !== "darwin") return [];
  const service = planService(undefined, ports);
  return readService(service) === undefined ? [] : [{ what: "service", path: service.path }];
}

const CACHES = process.platform === "darwin" ? ["Library", "Caches"] : [".cache"];

function cacheTraces({ env: { XDG_CACHE_HOME: named = "", HOME: home = "" } }: Ports): Trace[] {
  const folder = isAbsolute(named) ? named : isAbsolute(home) ? join(home, ...CACHES) : undefined;
  const path = folder === undefined ? undefined : join(folder, "claw");
  return path !== undefined && isOwnFolder(path) ? [{ what: "cache", path }] : [];
}

/** The workspace that a folder of secrets is for; undefined when the folder does not say. */
function ownerOf(folder: string): string | undefined {
  const file = readSmallFile(join(folder, "workspace.json"), LIMITS.settingsBytes);
  try {
    const { workspace } = file.kind === "text" ? (JSON.parse(file.text) as { workspace?: unknown }) : {};
    return typeof workspace === "string" ? workspace : undefined;
  } catch {
    // A damaged file names no workspace.
    return undefined;
  }
}

/** Lists secret folders of this workspace and of workspaces that are gone. Daemons of other workspaces need their secrets. */
function secretTraces({ cwd, env }: Ports): { traces: Trace[]; kept: Kept[] } {
  const home = stateHome(env);
  const own = stateFolder(cwd, env);
  const found: { traces: Trace[]; kept: Kept[] } = { traces: [], kept: [] };
  for (const name of isOwnFolder(home) ? readdirSync(home) : []) {
    const path = join(home, name);
    if (name === CLIENT_COPIES) {
      found.kept.push({ path, reason: "copies of agents' configuration files from before claw mcp install" });
      continue;
    }
    const owner = ownerOf(path);
    if (!isOwnFolder(path)) continue;
    if (path === own || (owner !== undefined && !existsSync(owner))) {
      found.traces.push({ what: "secrets", path });
      continue;
    }
    found.kept.push({ path, reason: owner === undefined ? "it does not say whose it is" : `it belongs to ${owner}` });
  }
  return found;
}

const WORKTREES = join(".claws", "worktrees");

/** The data of the folder. Worktrees stay in any case: they may hold work that is nowhere else. */
function dataTraces(cwd: string, isWanted: boolean): { traces: Trace[]; kept: Kept[] } {
  const roots = [".claw", ".claws"].map((root) => join(cwd, root)).filter(isOwnFolder);
  if (!isWanted) {
    const reason = "your sessions, settings and log; --data removes them";
    return { traces: [], kept: roots.map((path) => ({ path, reason })) };
  }
  const worktrees = join(cwd, WORKTREES);
  const holdsWork = isOwnFolder(worktrees) && readdirSync(worktrees).length > 0;
  const parts = roots.flatMap((root) =>
    holdsWork && root === join(cwd, ".claws")
      ? readdirSync(root)
          .filter((name) => name !== "worktrees")
          .map((name) => join(root, name))
      : [root],
  );
  const reason = "worktrees of workers, which may hold work; see git worktree list";
  return {
    traces: parts.map((path) => ({ what: "data", path })),
    kept: holdsWork ? [{ path: worktrees, reason }] : [],
  };
}

/** Settings and backups of the user, which belong to no folder. */
function userData({ env }: Ports): Kept[] {
  const { HOME: home = "", CLAW_CONFIG_HOME: named = "", XDG_DATA_HOME: data = "" } = env;
  if (!isAbsolute(home)) return [];
  const places: Kept[] = [
    { path: isAbsolute(named) ? named : join(home, ".claw"), reason: "your settings for all folders" },
    { path: join(isAbsolute(data) ? data : join(home, ".local", "share"), "claw", "backups"), reason: "your backups" },
  ];
  return places.filter(({ path }) => existsSync(path));
}

/** Lists the files and processes that claw made for the working folder and the user. Changes no file. */
export function findTraces(isDataWanted: boolean, ports: Ports): { traces: Trace[]; kept: Kept[] } {
  const daemon = findDaemon(ports.cwd);
  const secrets = secretTraces(ports);
  const data = dataTraces(ports.cwd, isDataWanted);
  const running: Trace[] = daemon === undefined ? [] : [{ what: "daemon", path: daemon.socket }];
  const traces = [...running, ...serviceTraces(ports), ...completionTraces(ports), ...cacheTraces(ports)];
  return {
    traces: [...traces, ...secrets.traces, ...data.traces],
    kept: [...secrets.kept, ...data.kept, ...userData(ports)],
  };
}
