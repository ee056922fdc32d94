const numbers = (version: string): number[] => version.split(/[.+-]/, 3).map(Number);

/** Below zero when the first is older, above when it is newer. Only the three numbers count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const differing = [0, 1, 2].find((index) => (left[index] ?? 0) !== (right[index] ?? 0));
  return differing === undefined ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}
