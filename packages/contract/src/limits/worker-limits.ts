/** Limits of workers, their processes and their worktrees. Part of `LIMITS`. */
export const WORKER_LIMITS = {
  /** Size of a worker's mission. */
  workerMissionBytes: 1024 * 1024,
  /** Size of the job file for a worker's process. */
  workerJobBytes: 8 * 1024 * 1024,
  /** Size of an agent's stream in the transcript; the rest is dropped, and the transcript's end says so. */
  workerTranscriptBytes: 256 * 1024 * 1024,
  /** Items of one part of a transcript, by default and at most; characters of one item, and of all items of a part. */
  transcriptItems: 200,
  transcriptItemsMost: 1000,
  transcriptItemChars: 64 * 1024,
  transcriptPartChars: 1024 * 1024,
  /** Bytes of a transcript that are read for one part; a part may have fewer items than asked for. */
  transcriptPartBytes: 8 * 1024 * 1024,
  /** Bytes before a part that are read too, because earlier lines explain later ones. */
  transcriptLeadBytes: 256 * 1024,
  /** Characters of a prompt or a text for the agent that the transcript repeats. */
  transcriptTextChars: 16 * 1024,
  /** Characters of an agent's text in the worker's report; the rest is in the transcript. */
  workerOutputChars: 64 * 1024,
  /** Files that a worker's report names. */
  workerArtifacts: 1000,
  /** Characters of a file change in a question about the change. */
  workerDiffChars: 32 * 1024,
  /** Shortest time between two events about an agent's activity. */
  workerActivityMs: 5000,
  /** Size of one report of an agent in a terminal, and of the reports sent while no worker listened. */
  hookReportBytes: 1024 * 1024,
  /** The line with the answer to a report; an answer may repeat the input of a tool. */
  hookAnswerBytes: 8 * 1024 * 1024,
  /** Texts that wait for an agent, and the bytes of all waiting texts. */
  workerTexts: 1000,
  workerTextBytes: 4 * 1024 * 1024,
  /** Days after which a price table counts as old. */
  pricesOldDays: 120,
  /** Price tiers by request size, for one model in the user's prices. */
  priceTiers: 10,
  /** How long a worker repeats a result while the bus cannot take the result; the longest pause between. */
  workerRetryMs: 24 * 60 * 60_000,
  workerRetryMostMs: 10_000,
  /** How long a worker's process may take to end before it is killed. */
  workerStopMs: 10_000,
  /** How often the daemon looks for a worker without a connection. */
  workerLookMs: 1000,
  /** Workers that run at the same time; depth to which workers may start other workers. */
  workersRunning: 100,
  workerDepth: 5,
  workerNameLength: 64,
  /** Commands or files in one list of a request for a worker, and characters of each. */
  workerCommands: 64,
  workerCommandChars: 8192,
  /** The longest pause after a usage limit with an unknown end. */
  usageLimitMostMs: 60 * 60_000,
  /** Pause when the stated end of a usage limit has already passed. */
  usageLimitOverMs: 1000,
  /** Longest random addition to a pause, so workers do not continue all at once. */
  usageLimitJitterMs: 30_000,
  /** Time of a command that sets up or tears down a worktree; characters of the output's end in an error. */
  worktreeCommandMs: 600_000,
  worktreeTailChars: 2000,
  /** Files that are copied into a worktree, and the bytes of all these files. */
  worktreeFiles: 10_000,
  worktreeBytes: 1024 * 1024 * 1024,
  /** Limits for one import of commits that commands in a worktree made: bytes, memory for one object, time. */
  worktreeImportBytes: 1024 * 1024 * 1024,
  worktreeImportMemoryBytes: 512 * 1024 * 1024,
  worktreeImportMs: 300_000,
  /** Bytes of a worker's changes that `claw diff` shows. */
  worktreeDiffBytes: 4 * 1024 * 1024,
  /** The same in a reply of the wire, which a page draws. */
  wireDiffBytes: 1024 * 1024,
  /** Ports for workers: the first port and the number of ports. */
  workerPortFirst: 41_000,
  workerPorts: 2000,
} as const;
