/** What a run may do, weakest first. */
export const PERMISSION_MODES = ["read-only", "workspace-write", "danger-full-access"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Permission settings that claw passes to Claude Code. */
export interface ClaudePermissions {
  /** Claude Code's permission mode; null leaves the choice to Claude Code. */
  readonly mode: "default" | "acceptEdits" | "bypassPermissions" | null;
  /** Tools that ask even where rules in the user's settings allow the tools. */
  readonly asks: readonly string[];
  /** Rights of commands in Claude Code's sandbox; null leaves the sandbox as the user set it. */
  readonly sandbox: { readonly writesWorkspace: boolean; readonly mayAskToLeave: boolean } | null;
}

/** Permission settings that claw passes to Codex when Codex can ask a person. */
export interface CodexPermissions {
  /** Codex's sandbox mode. */
  readonly sandbox: PermissionMode;
  /** When Codex asks a person. */
  readonly approval: "on-request" | "never";
}

/** The meaning of one permission mode for each agent, by the way the agent is run. */
export interface PermissionRow {
  /** `headless` cannot ask a person; `dialogue` asks on the agent's stream; `interactive` asks in the terminal. */
  readonly claudeCode: Readonly<Record<"headless" | "dialogue" | "interactive", ClaudePermissions>>;
  readonly codex: {
    /** `codex exec` takes no approval policy and never asks a person. */
    readonly exec: Pick<CodexPermissions, "sandbox">;
    readonly appServer: CodexPermissions;
    /** Null leaves the choice to Codex's configuration. */
    readonly interactive: CodexPermissions | null;
  };
  /** Our own agent; null leaves the choice to the agent's settings. */
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
/** Without a mode, Claude Code in a dialogue or terminal may start in `auto` mode, which writes without asking. */
const asking: ClaudePermissions = { mode: "default", asks: [], sandbox: null };

const codexRow = (sandbox: PermissionMode, approval: CodexPermissions["approval"]): PermissionRow["codex"] => ({
  exec: { sandbox },
  appServer: { sandbox, approval },
  interactive: { sandbox, approval },
});

/**
 * The settings of each agent for each permission mode; `unset` is a call without a mode. The fake agent uses Claude
 * Code's.
 */
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

/** The row of a mode; without a mode, the row `unset`. */
export const permissionRow = (mode: PermissionMode | null | undefined): PermissionRow =>
  PERMISSION_TABLE[mode ?? "unset"];

type Settings = Readonly<Record<string, unknown>>;

/** A sandbox that cannot start lets no command run unasked, so no command is freer than the mode. */
function sandboxSettings({ sandbox }: ClaudePermissions, cwd: string): Settings {
  if (sandbox === null) return {};
  const { writesWorkspace, mayAskToLeave } = sandbox;
  return {
    sandbox: {
      enabled: true,
      autoAllowBashIfSandboxed: true,
      allowUnsandboxedCommands: mayAskToLeave,
      // Claude Code would look for a relative path beside the settings.
      ...(writesWorkspace ? {} : { filesystem: { denyWrite: [cwd] } }),
    },
  };
}

/** What Claude Code is given with `--settings` to hold these permissions in a folder; null when flags say everything. */
export function claudeSettings(permissions: ClaudePermissions, cwd: string): Settings | null {
  const { asks, sandbox } = permissions;
  if (sandbox === null && asks.length === 0) return null;
  return { ...(asks.length === 0 ? {} : { permissions: { ask: asks } }), ...sandboxSettings(permissions, cwd) };
}
