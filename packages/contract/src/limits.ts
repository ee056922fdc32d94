/** Every bound of the product, in one place. Units are in the names. */
export const LIMITS = {
  /** A JSON answer larger than this is cut and says so. */
  answerBytes: 1024 * 1024,
  /** The same for answers that hold an agent's events. */
  bulkyAnswerBytes: 64 * 1024 * 1024,
  /** Text that would be larger goes to a file. */
  textBytes: 64 * 1024 * 1024,
  /** A verb that has not answered by then is ended. */
  verbTimeoutSeconds: 120,
  listDefault: 100,
  listMax: 10_000,
  /** How long a writer waits for another process to leave a session. */
  lockWaitMs: 5000,
  lockPollMs: 20,
  sessionIdLength: 128,
  /** One line of a session file. */
  sessionLineBytes: 16 * 1024 * 1024,
  /** How much of a session's end is read to find the totals of its last commit. */
  sessionTailBytes: 16 * 1024,
  sessionHeadBytes: 4 * 1024,
  /** A session without totals near its end is counted line by line up to this size when it is listed. */
  sessionScanBytes: 2 * 1024 * 1024,
  promptBytes: 1024 * 1024,
  settingsBytes: 1024 * 1024,
  settingsDepth: 32,
  idempotencyKeyLength: 128,
  /** How long the answer to a call with an idempotency key is remembered. */
  idempotencyRetentionMs: 7 * 24 * 60 * 60 * 1000,
  /** How much of the log one read takes; small enough not to hold up the process. */
  logReadBytes: 32 * 1024,
  /** A line a client of the bus may send. */
  requestLineBytes: 1024 * 1024,
  /** Arrays and objects in each other in such a line; printing deeper ones would need more stack than there is. */
  requestDepth: 500,
  /** What may wait for a slow client before it is served from the log instead. */
  socketBacklogBytes: 256 * 1024,
  /** Answers that a client may leave unread; beyond them nothing more is read from it until it reads. */
  unreadAnswerBytes: 4 * 1024 * 1024,
  socketProbeMs: 250,
  /** Clients of one way into the bus at a time; more are hung up on. */
  connections: 4096,
  /** A client that has begun a line, and does not finish it in this time, is hung up on. */
  partialLineMs: 30_000,
  /** How long a client that was said goodbye to may take to read the rest. */
  hangUpMs: 5000,
  /** A client on the network that has not shown a token by then is hung up on. */
  authWaitMs: 10_000,
  /** Pings of a WebSocket and comments of an event stream; two without an answer end a WebSocket. */
  heartbeatMs: 15_000,
  /** Pings of a client between two of ours; more end its WebSocket. */
  webSocketPings: 100,
  /** How long the identity of a token is kept between two of its HTTP requests. */
  httpIdleMs: 5 * 60_000,
  /** How long an HTTP request waits for the answer to its command. */
  httpReplyMs: 120_000,
  /** Headers and body of an HTTP request have to be there by then. */
  httpRequestMs: 30_000,
  tokenLength: 4096,
  tokenLifetimeMs: 30 * 24 * 60 * 60_000,
  /** Tokens for one use that were used and have not expired; more cannot be used until some do. */
  usedTokens: 100_000,
  /** How old a signed hello may be, by the wire's own rule. */
  signedHelloMs: 300_000,
  resumeTokenMs: 7 * 24 * 60 * 60_000,
  durables: 1000,
  durableNameLength: 128,
  /** Events sent to a durable subscription that may wait for their acknowledgement. */
  durableInFlight: 1000,
  durableInFlightMax: 100_000,
  durableAckWaitMs: 30_000,
  /** How many ids of events are remembered to recognise repetitions. */
  dedupeEntries: 100_000,
  /** Silence after which a worker counts as stale. */
  staleMs: 30_000,
  /** Publishes of one peer in a second, per family of topics. */
  publishRate: 10_000,
  /** Peers that left within a second, whose rates the next ones go on with; the oldest are forgotten first. */
  rateLeavings: 1000,
  /** How long whoever may come back under its own name is waited for before its tasks fail. */
  returnGraceMs: 60_000,
  /** Commands that may wait for an earlier one about the same thing. */
  queuedCommands: 500,
  /** Frames sent past a client's subscriptions while it does not keep up; further ones are not delivered. */
  directFrames: 500,
  /** Calls one peer may have to answer at a time. */
  openCallsPerPeer: 100,
  rpcTimeoutMs: 5000,
  rpcTimeoutMaxMs: 10 * 60 * 1000,
  /** Keys of delivered commands that are remembered; the oldest go first. */
  deliveryKeys: 10_000,
  /** Receipts of members for commands to their role that are remembered; the oldest commands go first. */
  memberReceipts: 10_000,
  /** Closed tasks, waves and pipelines that can still be listed. */
  closedRecords: 1000,
  /** Workers whose phase is remembered in case they come back. */
  knownWorkers: 10_000,
  monitorIntents: 1000,
  lifecycleWorkers: 1000,
  /** Silence after which a member of a wave breaks its rules. */
  waveSilenceMs: 25_000,
  /** Subscriptions kept for peers that may come back. */
  keptSubscriptions: 10_000,
  /** One file of the log; all of them together; how long they are kept. */
  logSegmentBytes: 64 * 1024 * 1024,
  logBytes: 4 * 1024 * 1024 * 1024,
  logMs: 30 * 24 * 60 * 60 * 1000,
  /** What the bus knows is written down after so many events, or so many bytes of their payloads. */
  snapshotEvents: 100_000,
  snapshotPayloadBytes: 64 * 1024 * 1024,
  /** A larger snapshot is not read. */
  snapshotBytes: 1024 * 1024 * 1024,
  /** The last events for older tools, before they are moved away. */
  sidecarLogBytes: 16 * 1024 * 1024,
  /** The daemon's own log, before it is rotated. */
  reportBytes: 5 * 1024 * 1024,
  /** Long enough to read a whole log of the greatest size. */
  daemonStartMs: 120_000,
  daemonStopMs: 15_000,
  /** One line of an agent's stream; a longer one is skipped. */
  runLineBytes: 16 * 1024 * 1024,
  /** Questions of an agent that are answered at a time. */
  runQuestionsAtOnce: 8,
  /** Text of an agent in a result. */
  runOutputBytes: 8 * 1024 * 1024,
  /** Events of an agent's stream in a result; beyond it they are in a file. */
  runEventsBytes: 16 * 1024 * 1024,
  /** Characters of an agent's error that a result holds. */
  runErrorChars: 4096,
  /** A prompt that is read from standard input. */
  runPromptBytes: 16 * 1024 * 1024,
  /** Silence after which an agent is ended. */
  runIdleSeconds: 600,
  /** Silence after which an agent that has reported its result is ended. */
  runLingerMs: 30_000,
  /** How long an agent that was asked to end may take, and how long is waited for one that was killed. */
  runPoliteMs: 500,
  runFirmMs: 2000,
  /** How much of an agent's output is read ahead. */
  runAheadBytes: 256 * 1024,
  /** The end of what an agent wrote to stderr. */
  runStderrBytes: 64 * 1024,
  /** How long a program may take to answer for a permission; how long its answer may be. */
  permissionSeconds: 60,
  permissionAnswerBytes: 1024 * 1024,
  /** A longer prompt goes to the agent through stdin. */
  promptArgumentBytes: 32 * 1024,
  suggestions: 3,
  /** What a child's stdout or stderr may hold before the rest is dropped. */
  commandOutputBytes: 1024 * 1024,
  gitTimeoutMs: 5000,
  /** How long an agent's CLI may take to say its version. */
  agentVersionMs: 5000,
  /** A scenario file of a fake agent; the text of one of its events; its pauses; how often steps are repeated. */
  fakeScenarioBytes: 16 * 1024 * 1024,
  fakeTextBytes: 64 * 1024 * 1024,
  fakeWaitMs: 24 * 60 * 60 * 1000,
  fakeRepeats: 100_000_000,
} as const;

/** Bounds of a client of the bus, browsers included. What happens beyond one is said where it is used. */
export const CLIENT_LIMITS = {
  /** Publishes that wait for a receipt; far fewer than the bus remembers ids of. */
  spoolEvents: 10_000,
  spoolBytes: 16 * 1024 * 1024,
  /** Raw commands that wait for an answer. */
  pendingRequests: 1000,
  /** Events of one subscription that its consumer has not taken yet. */
  bufferedEvents: 1024,
  bufferedBytes: 4 * 1024 * 1024,
  /** Lines received that nobody has read; beyond it a channel stops reading, or hangs up if it cannot. */
  unreadBytes: 1024 * 1024,
  /** What may wait in a channel before the sender ought to pause. */
  unsentBytes: 256 * 1024,
  /** A frame of the bus: an event of the largest request, enveloped. */
  frameBytes: 16 * 1024 * 1024,
  openTimeoutMs: 10_000,
  retryFirstMs: 100,
  retryMostMs: 10_000,
  /** A connection silent for this long is asked for a sign of life, and given up after as long again. */
  silenceMs: 10_000,
  heartbeatMs: 10_000,
  /** Requests of a worker whose answers are kept apart from its other commands. */
  rememberedAsks: 1000,
} as const;
