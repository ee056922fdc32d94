/** Puts entries back into a map, in their order, which for some maps says what is forgotten first. */
export function refill<Key, Value>(map: Map<Key, Value>, entries: Iterable<readonly [Key, Value]>): void {
  for (const [key, value] of entries) map.set(key, value);
}
