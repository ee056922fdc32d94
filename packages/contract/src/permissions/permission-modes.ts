/** What a run may do, weakest first. */
export const PERMISSION_MODES = ["read-only", "workspace-write", "danger-full-access"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];
