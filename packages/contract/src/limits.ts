import { APPROVAL_LIMITS } from "./approval-limits.ts";
import { MODEL_LIMITS } from "./model-limits.ts";
import { STATE_LIMITS } from "./state-limits.ts";
import { TERMINAL_LIMITS } from "./terminal-limits.ts";
import { TOOL_LIMITS } from "./tool-limits.ts";
import { WORKER_LIMITS } from "./worker-limits.ts";

/** Every bound of the product, in one place. Units are in the names. */
export const LIMITS = {
  ...STATE_LIMITS,
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
  /** A pipe that says nothing for this long, beside a prompt on the line, is taken for one that nobody writes to. */
  silentPipeMs: 3000,
  settingsBytes: 1024 * 1024,
  /** A file of another agent in which answers to its dialogs are recorded. */
  agentFileBytes: 64 * 1024 * 1024,
  settingsDepth: 32,
  idempotencyKeyLength: 128,
  /** How long the answer to a call with an idempotency key is remembered. */
  idempotencyRetentionMs: 7 * 24 * 60 * 60 * 1000,
  /** How much of the log one read takes; small enough not to hold up the process. */
  logReadBytes: 32 * 1024,
  /** A line a client of the bus may send. */
  requestLineBytes: 1024 * 1024,
  /** The same before a client has shown the token it needs. */
  tokenlessLineBytes: 16 * 1024,
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
  /** The longest that a token may be made for. */
  tokenLifetimeMaxMs: 366 * 24 * 60 * 60_000,
  /** Tokens that were given out and hold; more cannot be made until some end. */
  issuedTokens: 1000,
  issuedTokensBytes: 1024 * 1024,
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
  /** How often clients that count on it hear that the bus and its terminals live. */
  aliveMs: 60_000,
  /** How often a daemon looks whether its folder is still there, where the system cannot tell it. */
  placeLookMs: 30_000,
  /** Publishes of one peer on one topic in a second. */
  publishRate: 10_000,
  /** A peer's publishes on all its topics together, as a multiple of those on one. One heartbeat a second is not counted. */
  publishTotalFactor: 4,
  /** Topics of one peer whose rates are remembered. */
  ratedTopics: 1000,
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
  /** Workers that work for each other in a row; what is spent below counts for no more of them. */
  lineageDepth: 64,
  /** Warnings of budgets that are remembered, so that each is given once; the oldest are forgotten first. */
  budgetWarnings: 10_000,
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
  /** How long an agent's commands may take to end before the agent is asked to, where they tidy up only while it lives. */
  runCommandsMs: 3000,
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
  /** Requests that a sub-agent may send. */
  subAgentRequests: 32,
  /** Tools that change nothing and run side by side. */
  toolsAtOnce: 8,
  /** Size of a request from which on the conversation is compacted before the next one. */
  compactionTokens: 100_000,
  /** How many of the newest messages a compaction keeps. */
  compactionKeeps: 4,
  /** The longest summary that a model is asked for; characters of a summary that are kept. */
  compactionSummaryTokens: 4096,
  compactionSummaryChars: 12_000,
  /** Characters of a conversation that a model is shown to summarise, and of one message or result in it. */
  compactionTranscriptChars: 160_000,
  compactionEntryChars: 4000,
  /** The longest answer that is asked for when nobody says otherwise. */
  modelOutputTokens: 16_384,
  /** How long a hook may take by default; what is read of its output, and of its stderr. */
  hookSeconds: 60,
  hookOutputBytes: 1024 * 1024,
  hookStderrBytes: 16 * 1024,
  /** Characters of what a hook says for the model or for people. */
  hookTextChars: 16 * 1024,
  /** Characters of a variable that a hook gets; the whole is on its stdin. */
  hookVariableChars: 16 * 1024,
  /** How long a server of tools may take to start, to list its tools, and for a call by default. */
  mcpStartMs: 10_000,
  mcpListMs: 30_000,
  mcpCallMs: 120_000,
  /** Tools of one server; further ones are not offered. Pages they may come in. */
  mcpTools: 500,
  mcpPages: 64,
  /** Resources and prompts of one server that are shown. Characters of the name or address of one. */
  mcpResources: 500,
  mcpPrompts: 200,
  mcpNameChars: 1000,
  /** How often in a row a server that was lost is started or reached again. A request that succeeds begins the count anew. */
  mcpRestarts: 3,
  /** A message of a server; a longer one ends it. */
  mcpMessageBytes: 16 * 1024 * 1024,
  /** Characters of a tool's result that the model gets. */
  mcpResultChars: 100_000,
  /** Characters of what a server says about a tool. */
  mcpDescriptionChars: 8 * 1024,
  /** Characters of the schema of a tool's input; a tool with a longer one is not offered. */
  mcpSchemaChars: 64 * 1024,
  /** A file of servers that is named on the command line. */
  mcpConfigBytes: 1024 * 1024,
  /** Characters of one file of instructions, and of all of them. */
  instructionChars: 4000,
  instructionsChars: 12_000,
  /** A larger file is not read. */
  instructionBytes: 1024 * 1024,
  /** Skills that are offered; the folders of one place that are looked into for them. */
  skills: 200,
  skillFolders: 1000,
  /** A larger file of a skill is not read; characters of it and of its description that the model gets. */
  skillBytes: 256 * 1024,
  skillChars: 50_000,
  skillDescriptionChars: 500,
  /** Lines of `git status`, and last commits, that the model is told. */
  gitStatusLines: 50,
  gitCommits: 5,
  suggestions: 3,
  /** Commands and tools that a prompt is routed to. */
  routeDefault: 10,
  /** Prompts of a session that `history` shows. */
  historyDefault: 20,
  historyMax: 1000,
  /** Characters of one prompt in a history. */
  historyLineChars: 200,
  /** Prompts of a folder that an interactive session can call back; older ones are forgotten. */
  promptHistoryEntries: 500,
  /** A longer prompt cannot be called back in a later session. */
  promptHistoryChars: 10_000,
  /** The file they are in; a larger one is begun anew. */
  promptHistoryBytes: 4 * 1024 * 1024,
  /** Keys that wait for the next line; what is typed beyond them is dropped. */
  typedAheadKeys: 4096,
  /** Files that `@` completes among. */
  completionFiles: 20_000,
  completionFilesMs: 2000,
  /** Folders looked into for that where there is no git. */
  completionFolders: 2000,
  /** Candidates shown below a line. */
  completionsShown: 8,
  /** Files a prompt may name with `@` that the model is told of. */
  mentions: 20,
  /** What `diff` shows of the changes of a folder; how long git may take for it. */
  diffBytes: 64 * 1024,
  diffTimeoutMs: 30_000,
  /** What a child's stdout or stderr may hold before the rest is dropped. */
  commandOutputBytes: 1024 * 1024,
  gitTimeoutMs: 5000,
  /** How long an agent's CLI may take to say its version. */
  agentVersionMs: 5000,
  /** A rule of the permissions. */
  ruleChars: 4096,
  ...TOOL_LIMITS,
  ...WORKER_LIMITS,
  ...APPROVAL_LIMITS,
  ...TERMINAL_LIMITS,
  /** A scenario file of a fake agent; the text of one of its events; its pauses; how often steps are repeated. */
  fakeScenarioBytes: 16 * 1024 * 1024,
  fakeTextBytes: 64 * 1024 * 1024,
  fakeWaitMs: 24 * 60 * 60 * 1000,
  fakeRepeats: 100_000_000,
  ...MODEL_LIMITS,
} as const;
