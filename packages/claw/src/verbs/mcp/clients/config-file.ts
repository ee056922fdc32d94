import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { errnoOf, isForeign, PRIVATE_FILE, withFileErrors } from "../../../files/index.ts";
import { badConfig } from "./config-format.ts";
import type { McpScope } from "./mcp-clients.ts";

/** A client's configuration file, as it was at one moment. */
export interface ConfigFile {
  /** The path by which the client knows the file. */
  readonly named: string;
  /** The file itself, where a link leads. */
  readonly path: string;
  /** Undefined when there is no file. */
  readonly bytes: Buffer | undefined;
  /** Without the byte order mark. Empty when there is no file. */
  readonly text: string;
  readonly hasMark: boolean;
  readonly mode: number;
}

const MARK = "\uFEFF";
const PUBLIC_FILE = 0o644;
const OWNER_WRITES = 0o200;
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

function refuse(code: "FILESYSTEM_ERROR" | "FILE_ACCESS_DENIED", path: string, parts: { why: string; hint: string }) {
  const { why, hint } = parts;
  return new ClawError(code, `${path} ${why}`, { operation: "open", target: path, hint });
}

/** The real path of a file that may be missing, with missing folders above it. */
function realPlace(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  const folder = dirname(path);
  return folder === path ? path : join(realPlace(folder), basename(path));
}

/** The real path of the file. A link may lead anywhere for the user's own file, and not out of a project. */
function resolvePlace(named: string, scope: McpScope, cwd: string): string {
  try {
    const path = realPlace(named);
    if (scope === "user" || path.startsWith(realpathSync(cwd) + sep)) return path;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    const hint = "Remove the link, or make the file that it names.";
    throw refuse("FILESYSTEM_ERROR", named, { why: "is a link that leads nowhere", hint });
  }
  const hint = "Look at where the link leads, and who made it.";
  throw refuse("FILE_ACCESS_DENIED", named, { why: "leads out of the project", hint });
}

function readBytes(path: string): { readonly bytes: Buffer; readonly mode: number } | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openSync(path, READ);
  try {
    const stats = fstatSync(fd);
    const hint = "Look at what it is and who made it; move it away, then call again.";
    if (!stats.isFile()) throw refuse("FILESYSTEM_ERROR", path, { why: "is no regular file", hint });
    if (isForeign(stats)) throw refuse("FILE_ACCESS_DENIED", path, { why: "belongs to another user", hint });
    if (stats.size > LIMITS.mcpClientConfigBytes) {
      throw badConfig(path, `is larger than ${LIMITS.mcpClientConfigBytes} bytes`);
    }
    return { bytes: readFileSync(fd), mode: stats.mode & 0o7777 };
  } finally {
    closeSync(fd);
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder throws for bytes that are no text, and for nothing else.
    throw badConfig(path, "is no UTF-8 text");
  }
}

/** Reads a client's file. Throws for what claw must not edit: a device, a foreign file, a link out of a project. */
export function readConfigFile(named: string, scope: McpScope, cwd: string): ConfigFile {
  return withFileErrors("open", named, () => {
    const path = resolvePlace(named, scope, cwd);
    const found = readBytes(path);
    const mode = scope === "project" ? PUBLIC_FILE : PRIVATE_FILE;
    if (found === undefined) return { named, path, bytes: undefined, text: "", hasMark: false, mode };
    const text = decode(named, found.bytes);
    const hasMark = text.startsWith(MARK);
    return { named, path, ...found, text: hasMark ? text.slice(MARK.length) : text, hasMark };
  });
}

/** Throws when the owner may not write the file. The mode counts for every user, the superuser too. */
export function requireWritable({ named, bytes, mode }: ConfigFile): void {
  if (bytes === undefined || (mode & OWNER_WRITES) !== 0) return;
  const hint = "Make the file writable, or call the verb where the file is kept.";
  throw refuse("FILE_ACCESS_DENIED", named, { why: "is read-only", hint });
}

/** The bytes of a file with a new text. */
export const encodeConfig = ({ hasMark }: ConfigFile, text: string): Buffer =>
  Buffer.from(hasMark ? MARK + text : text);
