import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

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
