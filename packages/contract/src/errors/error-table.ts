import type { ErrorRow } from "./error-row.ts";
import { busObjectErrors } from "./bus-object-errors.ts";
import { clusterErrors } from "./cluster-errors.ts";
import { mcpClientErrors } from "./mcp-client-errors.ts";
import { runErrors } from "./run-errors.ts";
import { usageErrors } from "./usage-errors.ts";
import { workerErrors } from "./worker-errors.ts";
import { workspaceErrors } from "./workspace-errors.ts";

/** Every error claw can report. Envelopes, exits, documentation and help derive from these rows. The build works it out. */
export const ERRORS = {
  ...usageErrors,
  ...workspaceErrors,
  ...runErrors,
  ...workerErrors,
  ...busObjectErrors,
  ...clusterErrors,
  ...mcpClientErrors,
} as const satisfies Record<string, ErrorRow>;
