import type { JsonObject, Redactor, RunResult } from "claw-contract";
import { LIMITS } from "claw-contract";
import { buildResult } from "../result/build-result.ts";
import type { EventStore } from "../stores/event-store.ts";
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

/** The lines that `stream-json` prints for an object. */
type Printer = (item: RunItem) => readonly StreamMessage[];

const printNothing: Printer = () => [];

/** Builds `messages` only on demand, because most readers do not use messages. Small, to serve the rows `short lines`. */
class LazyItem implements RunItem {
  readonly native: JsonObject;
  readonly line: string;
  readonly updates: readonly RunUpdate[];
  readonly #print: Printer;

  constructor(native: JsonObject, line: string, updates: readonly RunUpdate[], print: Printer) {
    this.native = native;
    this.line = line;
    this.updates = updates;
    this.#print = print;
  }

  get messages(): readonly StreamMessage[] {
    return this.#print(this);
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
  readonly #redactor: Redactor | undefined;
  readonly #dropsPieces: boolean;
  readonly #lines: TextLines;
  readonly #maxLineBytes: number;
  readonly #state: StreamState;
  readonly #facts: RunFacts;
  readonly #store: EventStore;
  readonly #diagnostics = createWarningList();
  readonly #late = createWarningList();
  readonly #print: Printer;
  #lineNumber = 0;
  #hasEnded = false;

  constructor(harness: Harness, options: RunReaderOptions) {
    this.#harness = harness;
    this.#options = options;
    this.#redactor = options.redactor;
    this.#dropsPieces = options.dropsPieces ?? false;
    this.#state = createStreamState(!isUnheld(options));
    this.#maxLineBytes = options.maxLineBytes ?? LIMITS.runLineBytes;
    this.#lines = createTextLines(this.#maxLineBytes);
    this.#facts = createRunFacts(options.maxOutputBytes ?? LIMITS.runOutputBytes);
    this.#store = createEventStore(options.maxEventsBytes ?? LIMITS.runEventsBytes, options.spool);
    this.#print = (item) => this.#messagesOf(item);
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
    return updates.length === 0 ? items : [...items, new LazyItem({}, "", updates, this.#print)];
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
      this.#store.beginRun(ascii);
      let at = 0;
      for (const line of lines) {
        this.#lineNumber += 1;
        const item = typeof line === "string" ? this.#takeLine(line, at) : this.#skipOversize(line);
        if (item !== undefined) items.push(item);
        if (ascii !== null) at += (line as string).length + 1;
      }
      this.#store.endRun();
    }
    return items;
  }

  /** `at` is the place of the line in its run. */
  #takeLine(line: string, at: number): RunItem | undefined {
    const text = this.#lineNumber === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    const content = readStreamLine(text);
    if (content === "nothing") return undefined;
    if (content !== "malformed") return this.#takeObject(content, text, at);
    return this.#skip("malformed", `line ${this.#lineNumber}: ${this.#excerpt(text)}`);
  }

  #skipOversize({ bytes }: OversizeLine): undefined {
    this.#facts.lostLines += 1;
    return this.#skip("oversize", `line ${this.#lineNumber} has ${bytes} bytes, the limit is ${this.#maxLineBytes}`);
  }

  #takeObject(original: JsonObject, text: string, at: number): RunItem {
    const native = this.#redactor === undefined ? original : this.#redactor.redactValue(original);
    const line = native === original ? text : JSON.stringify(native);
    // In a recording of a dialogue, `dir: "in"` marks lines that were sent to the agent. These lines have no updates.
    const updates = native["dir"] === "in" ? NO_UPDATES : this.#harness.translate(native, this.#state);
    for (const update of updates) applyUpdate(this.#facts, update);
    if (this.#dropsPieces && this.#harness.isPiece(native)) return this.#pieceOf(native, updates);
    this.#store.add(native, line, native === original ? at : null, this.#harness.rules(this.#state));
    const told = native === original ? updates : this.#unmaskRequests(updates, original);
    return new LazyItem(native, line, told, this.#print);
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
    return new LazyItem(native, "", updates, isSilent ? printNothing : this.#print);
  }

  #messagesOf({ native, updates }: RunItem): readonly StreamMessage[] {
    if (this.#harness.isStreamMessage(native, this.#state)) return [native as StreamMessage];
    const messages = messagesOf(updates);
    return messages.length === 0 ? [nativeMessage(this.#harness.id, native)] : messages;
  }

  #excerpt(text: string): string {
    // The text is masked before the cut, because the redactor would not recognise half a secret.
    const beginning = text.slice(0, MASKED_CHARS);
    return (this.#redactor?.redactText(beginning) ?? beginning).slice(0, EXCERPT_CHARS);
  }

  #skip(what: string, detail: string): undefined {
    const { streamName } = this.#harness.rules(this.#state);
    this.#facts.warnings.add(`${what} ${streamName} line skipped: ${detail}`);
    this.#diagnostics.add(`skipping ${what} ${streamName} line: ${detail}`);
  }
}

export const createRunReader = (harness: Harness, options: RunReaderOptions = {}): RunReader =>
  new StreamReader(harness, options);
