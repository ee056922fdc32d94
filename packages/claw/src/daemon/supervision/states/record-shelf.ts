/**
 * Values by key, oldest first. A value that is put away is kept as JSON text, which takes a small part of the memory, and
 * needs no parsing when a snapshot is loaded (bench growth, "start of the daemon", "memory after a start").
 */
export interface RecordShelf<Value extends object> {
  /** Reads a value that is put away without taking it out. */
  get(key: string): Value | undefined;
  has(key: string): boolean;
  /** Sets a value at its place, or as the newest. The value is not put away afterwards. */
  set(key: string, value: Value): void;
  putAway(key: string): void;
  delete(key: string): void;
  size(): number;
  keys(): readonly string[];
  /** The values that are not put away. */
  out(): ReadonlyMap<string, Value>;
  /** All entries as plain JSON, in order. */
  save(): readonly SavedRecord<Value>[];
  load(saved: readonly SavedRecord<Value>[]): void;
}

export type SavedRecord<Value> = readonly [key: string, value: Value | string];

export function createRecordShelf<Value extends object>(): RecordShelf<Value> {
  /** Undefined for a value that is out. */
  const texts = new Map<string, string | undefined>();
  const out = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    texts.set(key, undefined);
    out.set(key, value);
  };
  return {
    get: (key) => {
      const text = texts.get(key);
      return text === undefined ? out.get(key) : (JSON.parse(text) as Value);
    },
    has: (key) => texts.has(key),
    set,
    putAway: (key) => {
      const value = out.get(key);
      if (value === undefined) return;
      texts.set(key, JSON.stringify(value));
      out.delete(key);
    },
    delete: (key) => {
      texts.delete(key);
      out.delete(key);
    },
    size: () => texts.size,
    keys: () => [...texts.keys()],
    out: () => out,
    save: () =>
      [...texts].flatMap(([key, text]) => {
        const value = text ?? out.get(key);
        return value === undefined ? [] : [[key, value] as const];
      }),
    load: (saved) => {
      for (const [key, value] of saved) {
        if (typeof value === "string") texts.set(key, value);
        else set(key, value);
      }
    },
  };
}
