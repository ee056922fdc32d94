import type { HarnessId, JsonObject } from "claw-contract";
import { isClaudeEvent } from "./harnesses/claude-code/translate-claude.ts";
import { isCodexEvent } from "./harnesses/codex/translate-codex.ts";

/** The format in which an agent reports its run. */
export type Dialect = "claude" | "codex";

/** The dialect of an event; null when both agents, or neither, could have written the event. */
export function dialectOf(native: JsonObject): Dialect | null {
  if (isCodexEvent(native)) return "codex";
  return isClaudeEvent(native) ? "claude" : null;
}

const SPOKEN: Readonly<Record<HarnessId, Dialect | null>> = {
  "claude-code": "claude",
  claw: "claude",
  codex: "codex",
  fake: null,
};

const HARNESS_OF: Readonly<Record<Dialect, HarnessId>> = { claude: "claude-code", codex: "codex" };

/** Detects a stream that was not written by the expected agent. */
export interface DialectWatch {
  note(native: JsonObject): void;
  /** Warning for the end of the stream; undefined when an event came from the expected agent. */
  warning(): string | undefined;
}

export function watchDialect(harness: HarnessId): DialectWatch {
  const heard = new Set<Dialect>();
  return {
    note(native) {
      const dialect = dialectOf(native);
      if (dialect !== null) heard.add(dialect);
    },
    warning() {
      const expected = SPOKEN[harness];
      const [other] = heard;
      if (other === undefined) return `no-events: nothing in the stream is an event of ${harness}`;
      if (expected === null || heard.has(expected)) return undefined;
      const right = HARNESS_OF[other];
      return `wrong-harness: the stream is of ${right} and was read as one of ${harness}; read it with --harness ${right}`;
    },
  };
}
