import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * Values by key, oldest first. A value that is put away is kept as JSON text, which takes a small part of the memory. A
 * snapshot holds the texts in one pack, which a start does not open (bench growth, "start of the daemon", "memory after a
 * start").
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
  save(): SavedShelf<Value, Label>;
  /** Also loads what an older claw saved: the entries alone. */
  load(saved: SavedShelf<Value, Label> | OlderShelf<Value, Label>): void;
}

/**
 * A value, or the label of a value that is put away. An older claw saved the JSON text of such a value beside its label, or
 * without one.
 */
type SavedRecord<Value, Label> = readonly [key: string, value: Value | string | null, label?: Label];

export interface SavedShelf<Value, Label> {
  readonly entries: readonly SavedRecord<Value, Label>[];
  /** The texts of the values that are put away, in the order of the entries. */
  readonly pack: string;
}

type OlderShelf<Value, Label> = readonly SavedRecord<Value, Label>[];

const isOlder = <Value, Label>(
  saved: SavedShelf<Value, Label> | OlderShelf<Value, Label>,
): saved is OlderShelf<Value, Label> => Array.isArray(saved);

interface PutAway<Label> {
  /** Undefined as long as the text is in the pack. */
  readonly text: string | undefined;
  readonly label: Label;
}

/** Texts of JSON have no line ends. Those of many ended workers are much alike: a pack takes a tenth of their size. */
const packOf = (texts: readonly string[]): string =>
  deflateRawSync(texts.join("\n"), { level: constants.Z_BEST_SPEED }).toString("base64");

const unpack = (pack: string): string[] => inflateRawSync(Buffer.from(pack, "base64")).toString().split("\n");

/**
 * The values that are put away. Loaded ones stay in the pack, until one of them is read (bench growth, "start of the daemon",
 * "memory after a start").
 */
class AwayTexts<Label> {
  readonly #places: Map<string, PutAway<Label> | undefined>;
  /** The pack of all texts; undefined when they have changed since it was made. */
  #pack: string | undefined;
  /** Whether the texts are in the pack alone. */
  #isPacked = false;

  constructor(places: Map<string, PutAway<Label> | undefined>) {
    this.#places = places;
  }

  /** Called before a text is added, or one goes. */
  change(): void {
    this.#open();
    this.#pack = undefined;
  }

  textOf(key: string): string | undefined {
    if (this.#places.get(key) === undefined) return undefined;
    this.#open();
    return this.#places.get(key)?.text;
  }

  pack(): string {
    this.#pack ??= packOf([...this.#places.values()].flatMap((place) => place?.text ?? []));
    return this.#pack;
  }

  /** Takes a pack in, which has the texts of all places that are loaded with it. */
  load(pack: string): void {
    this.#pack = pack;
    this.#isPacked = true;
  }

  #open(): void {
    if (!this.#isPacked) return;
    this.#isPacked = false;
    const texts = unpack(this.#pack ?? "").values();
    for (const [key, place] of this.#places) {
      if (place !== undefined) this.#places.set(key, { text: texts.next().value, label: place.label });
    }
  }
}

/** The place of a loaded value that is put away: in the pack, or with its text. */
const placeOf = <Label>(
  text: string | null,
  label: Label | undefined,
  labelOf: (value: never) => Label,
): PutAway<Label> => ({
  text: text ?? undefined,
  label: label === undefined ? labelOf(JSON.parse(text ?? "null") as never) : label,
});

const entriesOf = <Value, Label>(
  places: ReadonlyMap<string, PutAway<Label> | undefined>,
  out: ReadonlyMap<string, Value>,
): SavedRecord<Value, Label>[] =>
  [...places].map(([key, place]) => (place === undefined ? [key, out.get(key) as Value] : [key, null, place.label]));

/** `labelOf` gives what is asked often about values that are put away, as plain JSON. */
export function createRecordShelf<Value extends object, Label>(
  labelOf: (value: Value) => Label,
): RecordShelf<Value, Label> {
  /** Undefined for a value that is out. */
  const places = new Map<string, PutAway<Label> | undefined>();
  const away = new AwayTexts(places);
  const out = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    if (places.get(key) !== undefined) away.change();
    places.set(key, undefined);
    out.set(key, value);
  };
  return {
    get: (key) => {
      const text = away.textOf(key);
      return text === undefined ? out.get(key) : (JSON.parse(text) as Value);
    },
    has: (key) => places.has(key),
    set,
    putAway: (key) => {
      const value = out.get(key);
      if (value === undefined) return;
      away.change();
      places.set(key, { text: JSON.stringify(value), label: labelOf(value) });
      out.delete(key);
    },
    label: (key) => places.get(key)?.label,
    delete: (key) => {
      if (places.get(key) !== undefined) away.change();
      places.delete(key);
      out.delete(key);
    },
    size: () => places.size,
    keys: () => [...places.keys()],
    out: () => out,
    save: () => ({ entries: entriesOf(places, out), pack: away.pack() }),
    load: (saved) => {
      for (const [key, value, label] of isOlder(saved) ? saved : saved.entries) {
        if (typeof value === "object" && value !== null) set(key, value);
        else places.set(key, placeOf(value, label, labelOf));
      }
      if (!isOlder(saved)) away.load(saved.pack);
    },
  };
}
