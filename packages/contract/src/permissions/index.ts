export { claudeSettings } from "./permission-table.ts";
export type { PermissionMode, ClaudePermissions, CodexPermissions, PermissionRow } from "./permission-table.ts";
export { PERMISSION_MODES } from "./permission-table.ts";
export { PERMISSION_TABLE, permissionRow } from "./permission-table.ts";
