import type { Paint } from "../runtime/paint.ts";

/** The commands that a person may want next, and that no service manager answers here. */
export const showNext = (
  title: string,
  { next, reachable }: { readonly next: readonly string[]; readonly reachable: boolean },
  paint: Paint,
): string[] => [
  ...(reachable ? [] : ["No service manager of this user answers here; the commands work where one does."]),
  ...(next.length === 0 ? [] : [title, ...next.map((command) => `  ${paint.cyan(command)}`)]),
];
