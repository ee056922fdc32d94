import { remember } from "./remember.ts";

/** A tool call that has not ended. */
export interface OpenToolCall {
  readonly name: string;
  /** Whether the call was asked to run in the background. */
  readonly background: boolean;
  /** Input of the call, where a later event only names the call. */
  readonly input?: unknown;
}

/** The tool calls of a stream that have not ended, by id. There is a limit; beyond it the oldest is forgotten. */
export interface OpenCalls {
  add(id: string, call: OpenToolCall): void;
  get(id: string): OpenToolCall | undefined;
  end(id: string): void;
  /** Ends all calls and returns them, the oldest first. */
  endAll(): readonly (readonly [string, OpenToolCall])[];
}

/**
 * The latest call stands apart from the others, because most calls end before the next begins, and a map that becomes
 * empty at each end shrinks, which costs more than any step of a short line but its parsing. Serves the rows `short
 * lines`.
 */
export function createOpenCalls(): OpenCalls {
  const earlier = new Map<string, OpenToolCall>();
  let latestId = "";
  let latest: OpenToolCall | undefined;
  return {
    add(id, call) {
      if (latest !== undefined && latestId !== id) remember(earlier, latestId, latest);
      if (earlier.size > 0) earlier.delete(id);
      latestId = id;
      latest = call;
    },
    get: (id) => (id === latestId && latest !== undefined ? latest : earlier.get(id)),
    end(id) {
      if (id === latestId) latest = undefined;
      if (earlier.size > 0) earlier.delete(id);
    },
    endAll() {
      const last = latest === undefined ? [] : [[latestId, latest] as const];
      const calls = [...earlier, ...last];
      earlier.clear();
      latest = undefined;
      return calls;
    },
  };
}
