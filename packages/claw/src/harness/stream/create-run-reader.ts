import type { JsonObject, RunResult, HarnessId } from "claw-contract";
import { LIMITS } from "claw-contract";
import { buildResult } from "../result/build-result.ts";
import type { EventStore, StoredLine } from "../stores/event-store.ts";
import { createEventStore } from "../stores/event-store.ts";
import type { Harness } from "../harness.ts";
import type { LineRun, OversizeLine, TextLines } from "./text-lines.ts";
import { readStreamLine, createTextLines } from "./text-lines.ts";
import type { RunFacts } from "./run-facts.ts";
import { applyUpdate, createRunFacts } from "./run-facts.ts";
import { progressOf } from "./activity.ts";
import type { ExitEvidence, RunItem, RunProgress, RunReader, RunReaderOptions } from "./run-reader.ts";
import type { RunUpdate } from "./run-update.ts";
import { NO_UPDATES } from "./run-update.ts";
import { withRecord } from "./session-record.ts";
import type { StreamState } from "./stream-state.ts";
import { createStreamState } from "./stream-state.ts";
import { createWarningList } from "../stores/limited-stores.ts";
import type { StreamMessage } from "./stream-message.ts";
import { messagesOf, nativeMessage } from "./stream-message.ts";

/** The lines that `stream-json` prints for an object: none, the object, or the lines of its updates. */
type Printed = "nothing" | "itself" | HarnessId;

/** Builds `messages` only on demand, because most readers do not use messages. Small, to serve the rows `short lines`. */
class LazyItem implements RunItem {
  readonly native: JsonObject;
  readonly line: string;
  readonly updates: readonly RunUpdate[];
  readonly #printed: Printed;

  constructor(native: JsonObject, line: string, updates: readonly RunUpdate[], printed: Printed) {
    this.native = native;
    this.line = line;
    this.updates = updates;
    this.#printed = printed;
  }

  get messages(): readonly StreamMessage[] {
    if (this.#printed === "nothing") return [];
    if (this.#printed === "itself") return [this.native as StreamMessage];
    const messages = messagesOf(this.updates);
    return messages.length === 0 ? [nativeMessage(this.#printed, this.native)] : messages;
  }
}

const NO_ITEMS: readonly RunItem[] = [];

const BYTE_ORDER_MARK = "\uFEFF";

/** Characters shown of a line that cannot be read. */
const EXCERPT_CHARS = 200;
/** Characters of an unreadable line that are masked before the excerpt is cut. */
const MASKED_CHARS = 32 * 1024;

/** Whether the agent was told to run its commands without restrictions. */
const isUnheld = ({ metadata = {} }: RunReaderOptions): boolean =>
  [metadata["sandbox_mode"], metadata["permission_mode"]].includes("danger-full-access");

class StreamReader implements RunReader {
  readonly #harness: Harness;
  readonly #options: RunReaderOptions;
  readonly #lines: TextLines;
  readonly #maxLineBytes: number;
  readonly #state: StreamState;
  readonly #facts: RunFacts;
  readonly #store: EventStore;
  readonly #diagnostics = createWarningList();
  readonly #late = createWarningList();
  #lineNumber = 0;
  #hasEnded = false;

  constructor(harness: Harness, options: RunReaderOptions) {
    this.#harness = harness;
    this.#options = options;
    this.#state = createStreamState(!isUnheld(options));
    this.#maxLineBytes = options.maxLineBytes ?? LIMITS.runLineBytes;
    this.#lines = createTextLines(this.#maxLineBytes);
    this.#facts = createRunFacts(options.maxOutputBytes ?? LIMITS.runOutputBytes);
    this.#store = createEventStore(options.maxEventsBytes ?? LIMITS.runEventsBytes, options.spool);
  }

  push(chunk: Uint8Array): readonly RunItem[] {
    return this.#hasEnded ? NO_ITEMS : this.#takeRuns(this.#lines.pushRuns(chunk));
  }

  end(): readonly RunItem[] {
    if (this.#hasEnded) return NO_ITEMS;
    this.#hasEnded = true;
    const items = this.#takeRuns([{ lines: this.#lines.end(), ascii: null }]);
    const updates = this.#harness.end(this.#state);
    for (const update of updates) {
      if (update.kind === "warning") this.#late.add(update.text);
      else applyUpdate(this.#facts, update);
    }
    return updates.length === 0 ? items : [...items, this.#itemOf({}, "", updates)];
  }

  progress(): RunProgress {
    return progressOf(this.#facts);
  }

  finish(evidence: ExitEvidence): RunResult {
    this.end();
    const { record } = evidence;
    const rules = this.#harness.rules(this.#state);
    for (const denial of rules.denialsIn(evidence.stderr)) this.#facts.denials.note(denial);
    return buildResult({
      harness: this.#harness.id,
      rules,
      state: this.#state,
      facts: record === undefined ? this.#facts : withRecord(this.#facts, record),
      kept: this.#store.kept(rules, this.#options.includesEvents ?? true),
      diagnostics: this.#diagnostics.all(),
      lateWarnings: this.#late.all(),
      options: this.#options,
      evidence,
    });
  }

  #takeRuns(runs: readonly LineRun[]): readonly RunItem[] {
    const items: RunItem[] = [];
    for (const { lines, ascii } of runs) {
      let at = 0;
      for (const line of lines) {
        this.#lineNumber += 1;
        const item = typeof line === "string" ? this.#takeLine(line, ascii, at) : this.#skipOversize(line);
        if (item !== undefined) items.push(item);
        if (ascii !== null) at += (line as string).length + 1;
      }
    }
    this.#store.settle();
    return items;
  }

  /** `ascii` holds the line from `at` on. */
  #takeLine(line: string, ascii: Uint8Array | null, at: number): RunItem | undefined {
    const text = this.#lineNumber === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    const content = readStreamLine(text);
    if (content === "nothing") return undefined;
    if (content !== "malformed") return this.#takeObject(content, { text, ascii, at });
    return this.#skip("malformed", `line ${this.#lineNumber}: ${this.#excerpt(text)}`);
  }

  #skipOversize({ bytes }: OversizeLine): undefined {
    this.#facts.lostLines += 1;
    return this.#skip("oversize", `line ${this.#lineNumber} has ${bytes} bytes, the limit is ${this.#maxLineBytes}`);
  }

  #takeObject(original: JsonObject, read: StoredLine): RunItem {
    const native = this.#options.redactor?.redactValue(original) ?? original;
    const line = native === original ? read : { text: JSON.stringify(native), ascii: null, at: 0 };
    // In a recording of a dialogue, `dir: "in"` marks lines that were sent to the agent. These lines have no updates.
    const updates = native["dir"] === "in" ? NO_UPDATES : this.#harness.translate(native, this.#state);
    for (const update of updates) applyUpdate(this.#facts, update);
    if (this.#options.dropsPieces === true && this.#harness.isPiece(native)) return this.#pieceOf(native, updates);
    this.#store.add(native, line, this.#harness.rules(this.#state));
    return this.#itemOf(native, line.text, native === original ? updates : this.#unmaskRequests(updates, original));
  }

  /**
   * Returns the requests unmasked, because the answer depends on the real input. Translating a request again changes no
   * state.
   */
  #unmaskRequests(updates: readonly RunUpdate[], original: JsonObject): readonly RunUpdate[] {
    if (!updates.some((update) => update.kind === "request")) return updates;
    return this.#harness.translate(original, this.#state);
  }

  /**
   * The item for a piece of text. `stream-json` prints only a text that the piece completes. The updates also tell the
   * message's token usage.
   */
  #pieceOf(native: JsonObject, updates: readonly RunUpdate[]): RunItem {
    const isSilent = !updates.some(({ kind }) => kind === "text");
    return new LazyItem(native, "", updates, isSilent ? "nothing" : this.#harness.id);
  }

  #itemOf(native: JsonObject, line: string, updates: readonly RunUpdate[]): RunItem {
    const isMessage = this.#harness.isStreamMessage(native, this.#state);
    return new LazyItem(native, line, updates, isMessage ? "itself" : this.#harness.id);
  }

  #excerpt(text: string): string {
    // The text is masked before the cut, because the redactor would not recognise half a secret.
    const beginning = text.slice(0, MASKED_CHARS);
    return (this.#options.redactor?.redactText(beginning) ?? beginning).slice(0, EXCERPT_CHARS);
  }

  #skip(what: string, detail: string): undefined {
    const { streamName } = this.#harness.rules(this.#state);
    this.#facts.warnings.add(`${what} ${streamName} line skipped: ${detail}`);
    this.#diagnostics.add(`skipping ${what} ${streamName} line: ${detail}`);
  }
}

export const createRunReader = (harness: Harness, options: RunReaderOptions = {}): RunReader =>
  new StreamReader(harness, options);
