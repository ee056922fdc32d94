import { ClawError, PERMISSION_MODES } from "claw-contract";
import type { PermissionMode } from "claw-contract";
import type { ModelChoice } from "./choose-model.ts";

const isMode = (value: string): value is PermissionMode => (PERMISSION_MODES as readonly string[]).includes(value);

/** A mode that no one knows, from the environment, is an error: running with a weaker one would be worse. */
export function requireMode({ value, variable }: ModelChoice): PermissionMode {
  if (isMode(value)) return value;
  throw new ClawError("INVALID_PERMISSION_MODE", `'${value.slice(0, 200)}' is no permission mode`, {
    operation: "choose_permission_mode",
    target: variable ?? "permissions.defaultMode",
    details: { value: value.slice(0, 200), expected: PERMISSION_MODES },
  });
}
