/** Bounds of workers, their processes and their worktrees. Part of `LIMITS`. */
export const WORKER_LIMITS = {
  /** What a worker is asked to do. */
  workerMissionBytes: 1024 * 1024,
  /** The file that tells a worker's process what to do. */
  workerJobBytes: 8 * 1024 * 1024,
  /** What is kept of an agent's own stream; the rest is dropped, and said so at its end. */
  workerTranscriptBytes: 256 * 1024 * 1024,
  /** What of a prompt or a text for the agent is repeated in the transcript. */
  transcriptTextChars: 16 * 1024,
  /** Text of an agent that the report of its worker holds; the rest is in the transcript. */
  workerOutputChars: 64 * 1024,
  /** Files a worker's report names. */
  workerArtifacts: 1000,
  /** A change to a file, as a question about it shows it. */
  workerDiffChars: 32 * 1024,
  /** Signs of an agent's life between two events that tell of them. */
  workerActivityMs: 5000,
  /** How long a terminal draws nothing before its screen counts as quiet. */
  screenQuietMs: 600,
  /** How long a screen that goes on drawing is waited for before it is read all the same. */
  screenBusyMs: 2000,
  /** How long one request waits for a terminal to draw something. */
  screenWaitMs: 30_000,
  /**
   * Looks in a row that find the same before it is believed: work or a question, rest after a turn, rest before the first
   * turn, and a screen that is not known.
   */
  screenLooks: 2,
  screenRestLooks: 3,
  screenFirstLooks: 5,
  screenUnknownLooks: 12,
  /** One report of an agent in a terminal, and what it reported while nobody heard it. */
  hookReportBytes: 1024 * 1024,
  hookMissedBytes: 2 * 1024 * 1024,
  /** Texts that wait for an agent, and what they may weigh together. */
  workerTexts: 1000,
  workerTextBytes: 4 * 1024 * 1024,
  /** How often a worker says what its agent spends, at most, without waiting for its next heartbeat. */
  workerSpentMs: 100,
  /** Days after which a table of prices is called old. */
  pricesOldDays: 120,
  /** Sizes of requests with prices of their own, for one model of the user's. */
  priceTiers: 10,
  /** How often a worker looks what its agent wrote down of its calls. */
  callLookMs: 250,
  /** What is read of the calls of a worker's earlier lives. */
  callLedgerBytes: 64 * 1024 * 1024,
  /** How long a worker that was told to end may take to say its last words. */
  workerLastWordsMs: 8000,
  /** How long a worker says again what its work came to while the bus cannot take it, and the pauses in between. */
  workerInsistMs: 24 * 60 * 60_000,
  workerInsistFirstMs: 100,
  workerInsistMostMs: 10_000,
  /** How long a worker's process may take to end before it is killed. */
  workerStopMs: 10_000,
  /** How often a worker looks whether its folder is still there. */
  workerFolderMs: 5000,
  /** How often a worker whose connection is away is looked for. */
  workerLookMs: 1000,
  /** How long whoever follows the log of a worker that crashed waits to hear of a new start, and for one that is due. */
  logReturnMs: 3000,
  logRestartMs: 60_000,
  /** Workers that run at a time, and how deep workers may start others. */
  workersRunning: 100,
  workerDepth: 5,
  workerNameLength: 64,
  /** Pauses after a usage limit whose end is not known: the first, doubled each time up to the longest. */
  usageLimitFirstMs: 60_000,
  usageLimitMostMs: 60 * 60_000,
  /** The pause when the named end of a usage limit has passed by the time it is read. */
  usageLimitOverMs: 1000,
  /** The most by which a pause is stretched, so that workers do not all go on at once; its share of the pause. */
  usageLimitJitterMs: 30_000,
  usageLimitJitterShare: 0.1,
  /** A command that sets a worktree up or tears it down; the end of its output that an error shows. */
  worktreeCommandMs: 600_000,
  worktreeTailChars: 2000,
  /** Files that are brought along into a worktree, and what they may weigh. */
  worktreeFiles: 10_000,
  worktreeBytes: 1024 * 1024 * 1024,
  /** What is taken at a time of the commits that commands in a worktree made: bytes, memory for one object, time. */
  worktreeImportBytes: 1024 * 1024 * 1024,
  worktreeImportMemoryBytes: 512 * 1024 * 1024,
  worktreeImportMs: 300_000,
  /** What `claw diff` shows of the changes of a worker. */
  worktreeDiffBytes: 4 * 1024 * 1024,
  /** Ports that workers are given, the first and how many. */
  workerPortFirst: 41_000,
  workerPorts: 2000,
} as const;
