/**
 * Values by key, oldest first. A value that is put away is kept as JSON text, which takes a small part of the memory, and
 * needs no parsing when a snapshot is loaded (bench growth, "start of the daemon", "memory after a start").
 */
export interface RecordShelf<Value extends object, Label> {
  /** Reads a value that is put away without taking it out. */
  get(key: string): Value | undefined;
  has(key: string): boolean;
  /** Sets a value at its place, or as the newest. The value is not put away afterwards. */
  set(key: string, value: Value): void;
  putAway(key: string): void;
  /** The label of a value that is put away, which is read without the value; undefined for other keys. */
  label(key: string): Label | undefined;
  delete(key: string): void;
  size(): number;
  keys(): readonly string[];
  /** The values that are not put away. */
  out(): ReadonlyMap<string, Value>;
  /** All entries as plain JSON, in order. */
  save(): readonly SavedRecord<Value, Label>[];
  load(saved: readonly SavedRecord<Value, Label>[]): void;
}

/** A value, or the JSON text and the label of a value that is put away. An older claw saved texts without labels. */
export type SavedRecord<Value, Label> = readonly [key: string, value: Value | string, label?: Label];

interface PutAway<Label> {
  readonly text: string;
  readonly label: Label;
}

/** `labelOf` gives what is asked often about values that are put away, as plain JSON. */
export function createRecordShelf<Value extends object, Label>(
  labelOf: (value: Value) => Label,
): RecordShelf<Value, Label> {
  /** Undefined for a value that is out. */
  const places = new Map<string, PutAway<Label> | undefined>();
  const out = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    places.set(key, undefined);
    out.set(key, value);
  };
  return {
    get: (key) => {
      const away = places.get(key);
      return away === undefined ? out.get(key) : (JSON.parse(away.text) as Value);
    },
    has: (key) => places.has(key),
    set,
    putAway: (key) => {
      const value = out.get(key);
      if (value === undefined) return;
      places.set(key, { text: JSON.stringify(value), label: labelOf(value) });
      out.delete(key);
    },
    label: (key) => places.get(key)?.label,
    delete: (key) => {
      places.delete(key);
      out.delete(key);
    },
    size: () => places.size,
    keys: () => [...places.keys()],
    out: () => out,
    save: () =>
      [...places].map(([key, away]) =>
        away === undefined ? [key, out.get(key) as Value] : [key, away.text, away.label],
      ),
    load: (saved) => {
      for (const [key, value, label] of saved) {
        if (typeof value !== "string") set(key, value);
        else places.set(key, { text: value, label: label ?? labelOf(JSON.parse(value) as Value) });
      }
    },
  };
}
