/** Spellings of other versions, and what to call instead. Further arguments are carried over. */
export const RENAMES: readonly { readonly from: readonly string[]; readonly to: string }[] = [
  { from: ["session", "list"], to: "list-sessions" },
  { from: ["session", "show"], to: "load-session" },
  { from: ["session", "load"], to: "load-session" },
  { from: ["session", "delete"], to: "delete-session" },
  { from: ["sessions"], to: "list-sessions" },
  { from: ["settings"], to: "config" },
  { from: ["dump-manifests"], to: "manifest" },
];

/**
 * Flags that were called otherwise, without their dashes. A verb that still has the old flag keeps it. `divideBy` is
 * for a unit that changed with the name.
 */
export const FLAG_RENAMES: readonly { readonly from: string; readonly to: string; readonly divideBy?: number }[] = [
  { from: "max-budget-usd", to: "budget-usd" },
  { from: "session", to: "session-id" },
  { from: "timeout", to: "timeout-seconds" },
  { from: "timeout-ms", to: "timeout-seconds", divideBy: 1000 },
];
