import type { Sandbox } from "../sandbox/sandbox.ts";
import type { PermissionMode } from "./permission.ts";
import type { RuleSet } from "./rules.ts";
import type { Workspace } from "./workspace.ts";

export interface JudgeOptions {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly workspace: Workspace;
  /** Asked when a command is to be judged, and not before; null when there is none. */
  readonly sandbox: () => Sandbox | null;
  /** Whether commands may only run in the sandbox. */
  readonly isSandboxRequired?: boolean;
  /** Tools that may be called at all; undefined is every tool. */
  readonly allowedTools?: readonly string[] | undefined;
}

/** What the mode says of a need. `exceptional` is a place or a way that only a rule naming it can open. */
export interface Standing {
  readonly allowed: boolean;
  readonly reason: string;
  readonly exceptional: boolean;
}
