/** Bounds of the agent's tools and of their sandbox. Part of `LIMITS`. */
export const TOOL_LIMITS = {
  /** What a model is shown of a tool's output; the rest is in a file, up to the size after it. */
  toolOutputBytes: 30 * 1024,
  spillBytes: 1024 * 1024 * 1024,
  /** A command of the agent: how long it may take unless told otherwise, and at most. */
  bashTimeoutMs: 120_000,
  bashTimeoutMaxMs: 600_000,
  /** One argument of a process may have 128 KiB. */
  bashCommandBytes: 120 * 1024,
  /** A file the agent reads or edits; how many of its lines at once; how long a shown line may be. */
  toolFileBytes: 10 * 1024 * 1024,
  readLines: 2000,
  readLineChars: 2000,
  /** Names a search for files yields. */
  globResults: 100,
  /** Lines a search for text yields unless told otherwise, and at most. */
  grepLines: 250,
  grepLinesMax: 5000,
  grepLineChars: 500,
  searchMs: 60_000,
  todoItems: 200,
  todoChars: 2000,
  /** A page that is fetched: how long it may take, how large it may be, how often it may point elsewhere. */
  fetchMs: 30_000,
  fetchBytes: 5 * 1024 * 1024,
  fetchRedirects: 5,
  /** Names in a workspace that are looked at before and after a command for what it may not see, change or leave. */
  sandboxScanEntries: 200_000,
  /** Files that patterns of rules keep from one command. Each takes time to put out of sight. */
  sandboxKeptFiles: 250,
} as const;
