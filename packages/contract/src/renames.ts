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
