import type { SettingsTree } from "./honour-settings.ts";

const isTree = (value: unknown): value is SettingsTree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What both say, each thing once. */
function join(weak: readonly unknown[], strong: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return [...weak, ...strong].filter((item) => {
    const text = JSON.stringify(item);
    return seen.has(text) ? false : seen.add(text);
  });
}

function mergeMember(weak: unknown, strong: unknown): unknown {
  return Array.isArray(weak) && Array.isArray(strong) ? join(weak, strong) : strong;
}

function mergeTrees(weak: SettingsTree, strong: SettingsTree, merge: typeof mergeMember): SettingsTree {
  const merged = new Map(Object.entries(weak));
  for (const [key, value] of Object.entries(strong)) {
    if (key !== "__proto__") merged.set(key, merged.has(key) ? merge(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

/**
 * Several files as one, weakest first. Sections are merged entry by entry. Lists are joined, so that no file can take
 * back what another one denies; of anything else the later holds, whole: half a server of one file and half of another
 * would be neither.
 */
export function mergeSettings(trees: readonly SettingsTree[]): SettingsTree {
  const mergeSection = (weak: unknown, strong: unknown): unknown =>
    isTree(weak) && isTree(strong) ? mergeTrees(weak, strong, mergeMember) : mergeMember(weak, strong);
  return trees.reduce((merged, tree) => mergeTrees(merged, tree, mergeSection), {});
}
