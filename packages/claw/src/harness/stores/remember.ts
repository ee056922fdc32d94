/** Calls, texts and the like an adapter remembers at a time; beyond it the oldest is forgotten. */
export const REMEMBERED = 10_000;
/** Longest key in characters. An entry with a longer key is not remembered. */
const MAX_KEY_CHARS = 10_000;

/** Adds an entry to the map, within the limits. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (key.length > MAX_KEY_CHARS) return;
  if (map.size >= REMEMBERED && !map.has(key)) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
