/** The first `limit` characters of a text and a mark, or the text itself. A character outside the BMP counts as one. */
export function cutText(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let taken = 0; taken < limit && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return end >= text.length ? text : text.slice(0, end) + mark;
}

/** Texts joined by a newline, up to a limit. */
export interface TextStore {
  /**
   * Adds a text. Past the limit only the beginning of the text is kept, and later texts are dropped. True when the
   * whole text is kept.
   */
  add(text: string): boolean;
  text(): string;
  /** Whether something was not kept. */
  isCut(): boolean;
}

/** The longest beginning of a text that fits into `maxBytes` bytes of UTF-8. */
function fitBytes(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return "";
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes);
  // As in a stream, a character that is cut in two at the end is not decoded.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

export function createTextStore(maxBytes: number): TextStore {
  const texts: string[] = [];
  let bytes = 0;
  let cut = false;
  return {
    add(text) {
      if (cut) return false;
      const separator = texts.length === 0 ? 0 : 1;
      const size = Buffer.byteLength(text) + separator;
      cut = bytes + size > maxBytes;
      texts.push(cut ? fitBytes(text, maxBytes - bytes - separator) : text);
      bytes += size;
      return !cut;
    },
    text: () => texts.join("\n"),
    isCut: () => cut,
  };
}

/** The warnings of one run, limited to a number that a person might read. */
export interface WarningList {
  add(text: string): void;
  /** The warnings. When some were dropped, a last line tells how many. */
  all(): readonly string[];
  /** Whether warnings were dropped. */
  isCut(): boolean;
}

const MAX_WARNINGS = 1000;

export function createWarningList(): WarningList {
  const warnings: string[] = [];
  let more = 0;
  return {
    add(text) {
      if (warnings.length < MAX_WARNINGS) warnings.push(text);
      else more += 1;
    },
    isCut: () => more > 0,
    all: () => (more === 0 ? [...warnings] : [...warnings, `too-many-warnings: ${more} more are not told`]),
  };
}
