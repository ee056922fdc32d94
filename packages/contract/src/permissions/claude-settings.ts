import type { ClaudePermissions } from "./permission-table.ts";

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
