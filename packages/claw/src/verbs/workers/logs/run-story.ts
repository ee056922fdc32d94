import type { RunItem } from "../../../harness/index.ts";
import { resultLines } from "../../agent/chat/result-lines.ts";
import { localTime } from "../../text/times.ts";
import { callText, questionText } from "./call-text.ts";
import type { LogEntry } from "./log-source.ts";
import { entry, entryLine } from "./log-source.ts";

type Update = RunItem["updates"][number];
type Of<Kind extends Update["kind"]> = Extract<Update, { readonly kind: Kind }>;

const INDENT = "  ";
const RESULT_COLUMNS = 300;
const LINE_CHARS = 1000;
/** Calls that have no result yet; agents have a few at a time. */
const OPEN_CALLS = 10_000;

const indented = (text: string): string => text.replaceAll(/^/gm, INDENT);

const joined = (call: string, entries: readonly LogEntry[]): LogEntry[] => entries.map((each) => ({ ...each, call }));

const repeating = (entries: readonly LogEntry[]): LogEntry[] =>
  entries.map((each) => ({ ...each, repeats: true as const }));

/** Turns the updates of a run's stream into log entries. */
export interface RunStory {
  take(update: Update): LogEntry[];
}

class AgentStory implements RunStory {
  readonly #calls = new Map<string, string>();
  /** Tasks that go on in the background. Other tasks appear as calls. */
  readonly #tasks = new Map<string, string>();
  #lastCall: string | null = null;
  /** The sub-agent of the last entry; null for the agent itself. */
  #agent: string | null = null;
  #lastError = "";

  take(update: Update): LogEntry[] {
    switch (update.kind) {
      case "text":
        return this.#by(update.agent, entry("text", update.text));
      case "tool-call":
        return this.#takeCall(update);
      case "tool-result":
        return this.#takeResult(update);
      case "request":
        return entry("question", `? ${questionText(update.about, update)}`);
      case "permission-denied":
        return entry("error", `not permitted: ${callText(update.tool, update.input)}${because(update.reason)}`);
      case "task":
        return this.#takeTask(update);
      case "failure":
        return this.#fail(update.error);
      case "turn-end":
        return update.failure === null
          ? []
          : this.#fail(update.failure.error ?? "the agent failed and did not say why");
      case "session":
      case "retry":
      case "limit":
      case "notice":
      case "warning":
        return noteOf(update);
      case "turn-started":
      case "message":
      case "text-delta":
      case "model":
      case "thinking":
      case "usage":
        return [];
    }
  }

  #takeCall({ id, name, input, agent }: Of<"tool-call">): LogEntry[] {
    const text = callText(name, input);
    if (this.#calls.size >= OPEN_CALLS) this.#calls.clear();
    this.#calls.set(id, text);
    const shown = this.#by(agent, joined(id, entry("tool", `● ${text}`)));
    this.#lastCall = id;
    return shown;
  }

  #takeResult({ id, failed, output, agent }: Of<"tool-result">): LogEntry[] {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const lines = resultLines(output, failed, RESULT_COLUMNS)
      .map(({ text }) => text)
      .join("");
    const shown = joined(id, entry(failed ? "error" : "result", lines));
    const isNext = this.#lastCall === id || call === undefined;
    this.#lastCall = null;
    return this.#by(agent, isNext ? shown : [...repeating(entry("tool", `● result of ${call}`)), ...shown]);
  }

  #takeTask({ id, state, background, description }: Of<"task">): LogEntry[] {
    const name = this.#tasks.get(id) ?? entryLine(description, LINE_CHARS);
    if (state === "running") {
      if (background !== true || this.#tasks.has(id)) return [];
      if (this.#tasks.size >= OPEN_CALLS) this.#tasks.clear();
      this.#tasks.set(id, name);
      return entry("note", `goes on in the background: ${name}`);
    }
    if (!this.#tasks.delete(id)) return [];
    return entry("note", `${state === "ended" ? "has ended" : "was cut off"} in the background: ${name}`);
  }

  /** Indents the entries of a sub-agent. Names the sub-agent first when the last entry was of another agent. */
  #by(agent: string | null, entries: LogEntry[]): LogEntry[] {
    if (entries.length === 0) return entries;
    const isNew = agent !== this.#agent && agent !== null && agent !== this.#lastCall;
    this.#agent = agent;
    if (agent === null) return entries;
    const head = isNew ? repeating(entry("tool", `● sub-agent ${this.#calls.get(agent) ?? agent}`)) : [];
    return [...head, ...entries.map((each) => ({ ...each, agent, text: indented(each.text) }))];
  }

  #fail(error: string | null): LogEntry[] {
    const text = entryLine(error ?? "", LINE_CHARS);
    const isKnown = text === this.#lastError;
    this.#lastError = text;
    return isKnown ? [] : entry("error", text);
  }
}

const because = (reason: string): string => (reason === "" ? "" : ` (${entryLine(reason, LINE_CHARS)})`);

/** Entries for updates that are worth a note; most updates of a stream are not. */
function noteOf(update: Of<"session" | "retry" | "limit" | "notice" | "warning">): LogEntry[] {
  switch (update.kind) {
    case "session":
      return update.model === null ? [] : entry("note", `model ${update.model}`);
    case "retry":
      return entry("note", `tries again: ${entryLine(update.reason, LINE_CHARS)}`);
    case "limit": {
      const until = update.resetsAtMs === null ? "" : `, until ${localTime(new Date(update.resetsAtMs).toISOString())}`;
      return update.reached ? entry("note", `the usage limit is reached${until}`) : [];
    }
    case "notice":
    case "warning":
      return entry("note", entryLine(update.text, LINE_CHARS));
  }
}

export const createRunStory = (): RunStory => new AgentStory();
