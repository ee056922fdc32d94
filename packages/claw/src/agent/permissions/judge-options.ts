import type { PermissionMode } from "claw-contract";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { RuleSet } from "./rules.ts";
import type { Workspace } from "./workspace.ts";

export interface JudgeOptions {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly workspace: Workspace;
  /** Gives the sandbox; null when there is none. Called only when a command is judged. */
  readonly sandbox: () => Sandbox | null;
  /** Whether commands may only run in the sandbox. */
  readonly isSandboxRequired?: boolean;
  /** Tools that may be called at all; undefined is every tool. */
  readonly allowedTools?: readonly string[] | undefined;
}

/** The answer of the mode to a need. `exceptional`: only a rule with content can allow the need. */
export interface ModeAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly exceptional: boolean;
}
