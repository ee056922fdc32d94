import { realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { PERMISSION_MODES } from "claw-contract";

export type SettingsTree = Readonly<Record<string, unknown>>;

export interface SettingsOrigin {
  /** Whether the file is the user's own. */
  readonly isUser: boolean;
  /** Whether the user trusts the folder it came with. */
  readonly isTrusted: boolean;
  /** The mode that holds without the file. */
  readonly mode: string;
}

export interface Honoured {
  readonly values: SettingsTree;
  /** Dotted keys that are left out because the file may not decide about them. */
  readonly ignored: readonly string[];
}

/** Keys that run programs, send keys elsewhere, hide what a run costs or answer for the user. */
const POWERFUL = new Set([
  "hooks",
  "mcpServers",
  "providers",
  "prices",
  "pricesFile",
  "env",
  "mcp",
  "approvals",
  "notify",
  "bus",
]);
const POWERFUL_PERMISSIONS = new Set(["allow", "additionalDirectories"]);

const isStricterMode = (mode: unknown, than: string): boolean => {
  const modes: readonly unknown[] = PERMISSION_MODES;
  return modes.indexOf(mode) <= modes.indexOf(than);
};

/** A scripted model answers from a file, so an untrusted folder could dictate tool calls. */
const isScripted = (model: unknown): boolean => typeof model === "string" && /^scripted(?::|$)/.test(model);

function mayDecide(key: string, value: unknown, { isTrusted, mode }: SettingsOrigin): boolean {
  // Trust is the user's to give, also where it was given before.
  if (key === "trustedRoots") return false;
  if (isTrusted) return true;
  if (key === "model") return !isScripted(value);
  if (key === "aliases") return !Object.values(value as object).some(isScripted);
  if (key === "sandbox") return value === "required";
  if (key === "permissions.defaultMode") return isStricterMode(value, mode);
  const [first = "", second = ""] = key.split(".");
  return first === "permissions" ? !POWERFUL_PERMISSIONS.has(second) : !POWERFUL.has(first);
}

/**
 * Keeps the settings that a file may decide. The settings of a folder may have come with a clone. Until the user trusts
 * the folder, its settings may make a run stricter and choose models; they may not run programs or widen permissions.
 */
export function honourSettings(values: SettingsTree, origin: SettingsOrigin): Honoured {
  if (origin.isUser) return { values, ignored: [] };
  const ignored: string[] = [];
  const keep = (tree: SettingsTree, prefix: string): SettingsTree =>
    Object.fromEntries(
      Object.entries(tree).filter(([key, value]) => {
        const isKept = mayDecide(prefix + key, value, origin);
        if (!isKept) ignored.push(prefix + key);
        return isKept;
      }),
    );
  const kept = keep(values, "");
  const permissions = kept["permissions"];
  if (typeof permissions !== "object" || permissions === null) return { values: kept, ignored };
  return { values: { ...kept, permissions: keep(permissions as SettingsTree, "permissions.") }, ignored };
}

export interface TrustQuestion {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folders the user trusts, named in the user's own settings. */
  readonly roots: readonly string[];
}

/** The real path of a folder, with links resolved; undefined when the path cannot be resolved. */
function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // The folder does not exist or is not readable, and is therefore not trusted.
    return undefined;
  }
}

function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Whether the user gives this folder's settings the same rights as the user's own settings. */
export function isTrustedWorkspace({ cwd, env, roots }: TrustQuestion): boolean {
  if (env["CLAW_TRUST_WORKSPACE"] === "1") return true;
  const folder = roots.length === 0 ? undefined : resolved(cwd);
  if (folder === undefined) return false;
  return roots.some((root) => {
    const expanded = /^~(?=\/|$)/.test(root) ? join(env["HOME"] ?? "~", root.slice(1)) : root;
    const target = isAbsolute(expanded) ? resolved(expanded) : undefined;
    return target !== undefined && isWithin(folder, target);
  });
}
