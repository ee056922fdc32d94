import type { PermissionMode } from "./permission-modes.ts";

/** What Claude Code is told about permissions. */
export interface ClaudePermissions {
  /** Its own permission mode; null leaves the choice to it. */
  readonly mode: "default" | "acceptEdits" | "bypassPermissions" | null;
  /** Tools that ask even where rules of the user's settings allow them. */
  readonly asks: readonly string[];
  /** What its sandbox lets commands do; null leaves the sandbox as the user set it. */
  readonly sandbox: { readonly writesWorkspace: boolean; readonly mayAskToLeave: boolean } | null;
}

/** What Codex is told about permissions, where it has somebody to ask. */
export interface CodexPermissions {
  /** Its own sandbox mode. */
  readonly sandbox: PermissionMode;
  /** When it asks a person. */
  readonly approval: "on-request" | "never";
}

/** What one permission mode means for each agent, by the way in which the agent is run. */
export interface PermissionRow {
  /** `headless` has nobody to ask; `dialogue` asks on its stream; `interactive` asks in its terminal. */
  readonly claudeCode: Readonly<Record<"headless" | "dialogue" | "interactive", ClaudePermissions>>;
  readonly codex: {
    /** `codex exec` takes no approval policy: it asks nobody. */
    readonly exec: Pick<CodexPermissions, "sandbox">;
    readonly appServer: CodexPermissions;
    /** Null leaves the choice to its configuration. */
    readonly interactive: CodexPermissions | null;
  };
  /** Our own agent; null leaves the choice to its settings. */
  readonly claw: PermissionMode | null;
}

const EDITS = ["Edit", "Write", "NotebookEdit"];

const readOnly: ClaudePermissions = {
  mode: "default",
  asks: EDITS,
  sandbox: { writesWorkspace: false, mayAskToLeave: false },
};

const writing = (mayAskToLeave: boolean): ClaudePermissions => ({
  mode: "acceptEdits",
  asks: [],
  sandbox: { writesWorkspace: true, mayAskToLeave },
});

const everything: ClaudePermissions = { mode: "bypassPermissions", asks: [], sandbox: null };
const itsOwn: ClaudePermissions = { mode: null, asks: [], sandbox: null };
/** Without a mode, Claude Code in a dialogue or a terminal may start in its own `auto` mode, which writes unasked. */
const asking: ClaudePermissions = { mode: "default", asks: [], sandbox: null };

const codexRow = (sandbox: PermissionMode, approval: CodexPermissions["approval"]): PermissionRow["codex"] => ({
  exec: { sandbox },
  appServer: { sandbox, approval },
  interactive: { sandbox, approval },
});

/** Each permission mode in each agent's own settings; `unset` is a call that names no mode. The fake agent has Claude Code's. */
export const PERMISSION_TABLE: Readonly<Record<PermissionMode | "unset", PermissionRow>> = {
  "read-only": {
    claudeCode: { headless: readOnly, dialogue: readOnly, interactive: readOnly },
    codex: codexRow("read-only", "on-request"),
    claw: "read-only",
  },
  "workspace-write": {
    claudeCode: { headless: writing(false), dialogue: writing(true), interactive: writing(true) },
    codex: codexRow("workspace-write", "on-request"),
    claw: "workspace-write",
  },
  "danger-full-access": {
    claudeCode: { headless: everything, dialogue: everything, interactive: everything },
    codex: codexRow("danger-full-access", "never"),
    claw: "danger-full-access",
  },
  unset: {
    claudeCode: { headless: itsOwn, dialogue: asking, interactive: asking },
    codex: { ...codexRow("workspace-write", "on-request"), interactive: null },
    claw: null,
  },
};

/** The row of a mode, or of none. */
export const permissionRow = (mode: PermissionMode | null | undefined): PermissionRow =>
  PERMISSION_TABLE[mode ?? "unset"];
