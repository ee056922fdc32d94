import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClawError, parseObject } from "claw-contract";
import type { JsonObject } from "claw-contract";
import {
  nodeFileSystem,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  withFileErrors,
  writeFileAtomically,
} from "../../../files/index.ts";

/** Something an agent asks at its first start in a folder, which can be answered beforehand in the agent's own file. */
export interface AgentDialog {
  readonly name: "trust-folder" | "api-key";
  /** The agent, as people call it. */
  readonly agent: string;
  /** What a person is asked: "Trust /home/ada/lexer". */
  readonly question: string;
  /** The agent's own file, which holds the answer. */
  readonly file: string;
  /** What the answer is about: a folder, or the end of a key. */
  readonly subject: string;
  /** Whether the agent's file holds an answer already, so that the agent does not ask. */
  isAnswered(): boolean;
  /** Writes a yes to the agent's file. Throws FILESYSTEM_ERROR when it cannot be read or written. */
  accept(): void;
}

/** Where an agent is started, and with which variables. */
export interface DialogPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The nearest folder that holds a repository, upwards; null when there is none. */
export function repositoryOf(folder: string): string | null {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : repositoryOf(parent);
}

/** A folder and every folder above it. */
export function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** A file of another agent in which answers to its dialogs are recorded. */
const AGENT_FILE_BYTES = 64 * 1024 * 1024;

/** The text of an agent's file; empty when there is none. Throws FILESYSTEM_ERROR when it cannot be read. */
export function readAgentFile(path: string): string {
  const file = readSmallFile(path, AGENT_FILE_BYTES);
  if (file.kind === "text") return file.text;
  if (file.kind === "absent") return "";
  throw new ClawError("FILESYSTEM_ERROR", `${path} cannot be read: ${file.why}`, {
    operation: "read_agent_settings",
    target: path,
  });
}

/** Replaces an agent's file, all at once; where the path is a link, the file behind it. Throws FILESYSTEM_ERROR. */
export function writeAgentFile(path: string, text: string): void {
  withFileErrors("write_agent_settings", path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    const place = existsSync(path) ? realpathSync(path) : path;
    writeFileAtomically(nodeFileSystem, place, text, { mode: PRIVATE_FILE });
  });
}

/** A JSON object in a file; empty when there is none. Throws FILESYSTEM_ERROR when it holds something else. */
export function readAgentJson(path: string): JsonObject {
  const text = readAgentFile(path);
  const value = text.trim() === "" ? {} : parseObject(text);
  if (value !== undefined) return value;
  throw new ClawError("FILESYSTEM_ERROR", `${path} holds no JSON object`, {
    operation: "read_agent_settings",
    target: path,
  });
}
