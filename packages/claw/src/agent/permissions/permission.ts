import type { PermissionMode } from "claw-contract";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { RuleSet } from "./rules.ts";
import type { Workspace } from "./workspace.ts";

/** What a call of a tool would touch. Paths are absolute and free of links. */
export type Need =
  /** Nothing outside of the conversation. */
  | { readonly kind: "nothing" }
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "write"; readonly paths: readonly string[] }
  /** A shell command; `unconfined` asks to run it outside of the sandbox. */
  | { readonly kind: "command"; readonly command: string; readonly unconfined: boolean }
  | { readonly kind: "network"; readonly url: string }
  /** A call to an MCP server. `mode` is the weakest mode that suffices; for a tool, the server's own hints decide. */
  | { readonly kind: "foreign"; readonly mode: PermissionMode };

/** A call that is to be judged. */
export interface PermissionRequest {
  /** Canonical name of the tool. */
  readonly tool: string;
  readonly need: Need;
  /** What rules match against: the command, path, address or pattern of the call as the model gave it. */
  readonly subject: string;
}

export interface PermissionVerdict {
  readonly decision: "allow" | "ask" | "deny";
  /** A sentence for people and models: what was needed, what holds, which rule decided. */
  readonly reason: string;
  /** The rule that decided, as it stands in the settings. */
  readonly rule: string | null;
}

/** Decides whether a call may run. Reads the disk but changes no state: the same request may be judged twice. */
export interface Judge {
  readonly mode: PermissionMode;
  judge(request: PermissionRequest): PermissionVerdict;
}

/** A call that was not allowed, as results report it. */
export interface DeniedCall {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: unknown;
  readonly reason: string;
}

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
