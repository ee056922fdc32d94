export { claudeSettings } from "./claude-settings.ts";
export type { PermissionMode } from "./permission-modes.ts";
export { PERMISSION_MODES } from "./permission-modes.ts";
export type { ClaudePermissions, CodexPermissions, PermissionRow } from "./permission-table.ts";
export { PERMISSION_TABLE, permissionRow } from "./permission-table.ts";
