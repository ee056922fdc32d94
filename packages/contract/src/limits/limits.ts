import { APPROVAL_LIMITS } from "./approval-limits.ts";
import { BACKUP_LIMITS } from "./backup-limits.ts";
import { MCP_CLIENT_LIMITS } from "./mcp-client-limits.ts";
import { MCP_LIMITS } from "./mcp-limits.ts";
import { MODEL_LIMITS } from "./model-limits.ts";
import { NOTIFY_LIMITS } from "./notify-limits.ts";
import { PAGE_LIMITS } from "./page-limits.ts";
import { REQUEST_LIMITS } from "./request-limits.ts";
import { STATE_LIMITS } from "./state-limits.ts";
import { TERMINAL_LIMITS } from "./terminal-limits.ts";
import { TICKET_LIMITS } from "./ticket-limits.ts";
import { TOOL_LIMITS } from "./tool-limits.ts";
import { WORKER_LIMITS } from "./worker-limits.ts";

/** Every limit of the product, in one place. Units are in the names. The build works the table out. */
export const LIMITS = {
  ...BACKUP_LIMITS,
  ...MCP_LIMITS,
  ...STATE_LIMITS,
  ...REQUEST_LIMITS,
  ...MCP_CLIENT_LIMITS,
  ...PAGE_LIMITS,
  /** A JSON answer above this size is cut and reports the cut. */
  answerBytes: 1024 * 1024,
  /** The same for answers that hold an agent's events. */
  bulkyAnswerBytes: 64 * 1024 * 1024,
  /** Text that would be larger goes to a file. */
  textBytes: 64 * 1024 * 1024,
  /** A verb without an answer after this time is ended. */
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
  /** A session without totals near its end is counted line by line up to this size when it is listed. */
  sessionScanBytes: 2 * 1024 * 1024,
  promptBytes: 1024 * 1024,
  /** Beside a prompt argument, a stdin pipe that is silent for this long is ignored. */
  silentPipeMs: 3000,
  settingsBytes: 1024 * 1024,
  idempotencyKeyLength: 128,
  /** How long the answer to a call with an idempotency key is remembered. */
  idempotencyRetentionMs: 7 * 24 * 60 * 60 * 1000,
  /** How much of the log one read takes; small enough not to hold up the process. */
  logReadBytes: 32 * 1024,
  /** `requestLineBytes` before a client has shown the required token. */
  tokenlessLineBytes: 16 * 1024,
  /** Nesting depth of arrays and objects in a request; printing deeper values would overflow the stack. */
  requestDepth: 500,
  /** Bytes that may wait for a slow client before the bus serves the client from the log. */
  socketBacklogBytes: 256 * 1024,
  /** Unread answers of one client; beyond the limit the bus reads no further requests until the client reads. */
  unreadAnswerBytes: 4 * 1024 * 1024,
  /** Clients of one transport at a time; further clients are disconnected. */
  connections: 4096,
  /** A client that does not finish a started line in this time is disconnected. */
  partialLineMs: 30_000,
  /** Time a client has to read the rest after the goodbye. */
  hangUpMs: 5000,
  /** A network client without a token after this time is disconnected. */
  authWaitMs: 10_000,
  /** Interval of WebSocket pings and of comments in an event stream; two pings without an answer end a WebSocket. */
  heartbeatMs: 15_000,
  /** Pings of a client between two pings of the server; further pings end the WebSocket. */
  webSocketPings: 100,
  /** How long the identity of a token is kept between two HTTP requests with the token. */
  httpIdleMs: 5 * 60_000,
  /** How long an HTTP request waits for the answer of the bus. */
  httpReplyMs: 120_000,
  /** The headers and the body of an HTTP request must arrive within this time. */
  httpRequestMs: 30_000,
  tokenLength: 4096,
  tokenLifetimeMs: 30 * 24 * 60 * 60_000,
  /** Longest lifetime of a token. */
  tokenLifetimeMaxMs: 366 * 24 * 60 * 60_000,
  /** Issued tokens that are valid; further tokens cannot be made until some end. */
  issuedTokens: 1000,
  /** Used single-use tokens that have not expired; further ones cannot be used until some expire. */
  usedTokens: 100_000,
  /** Maximum age of a signed hello, a rule of the wire. */
  signedHelloMs: 300_000,
  resumeTokenMs: 7 * 24 * 60 * 60_000,
  durables: 1000,
  durableNameLength: 128,
  durableInFlightMax: 100_000,
  durableAckWaitMs: 30_000,
  /** Event ids that are remembered to recognise repeated publishes. */
  dedupeEntries: 100_000,
  /** Silence after which a worker counts as stale. */
  staleMs: 30_000,
  /** Interval of the heartbeat about the bus and the terminals, for clients that need a heartbeat. */
  aliveMs: 60_000,
  /** How often a daemon checks that its folder exists, where the system cannot report a removal. */
  placeLookMs: 30_000,
  /** Publishes of one peer on one topic in a second. */
  publishRate: 10_000,
  /** Publishes of a peer on all topics, as a multiple of `publishRate`. One heartbeat a second is not counted. */
  publishTotalFactor: 4,
  /** Topics of one peer with a remembered publish rate. */
  ratedTopics: 1000,
  /** Peers that left within the last second; a new peer continues their rate counts. The oldest are forgotten first. */
  rateLeavings: 1000,
  /** How long the bus waits for a disconnected peer to return before the peer's tasks fail. */
  returnGraceMs: 60_000,
  /** Requests that may wait for an earlier request about the same object. */
  queuedCommands: 500,
  /** Calls one peer may have to answer at the same time. */
  openCallsPerPeer: 100,
  rpcTimeoutMs: 5000,
  rpcTimeoutMaxMs: 10 * 60 * 1000,
  /** Closed tasks, waves and pipelines that can still be listed. */
  closedRecords: 1000,
  /** Workers whose phase is remembered in case the workers return. */
  knownWorkers: 10_000,
  /** Length of a chain of workers and their parents; spending does not count for parents beyond the chain. */
  lineageDepth: 64,
  lifecycleWorkers: 1000,
  /** Silence after which a member of a wave breaks its rules. */
  waveSilenceMs: 25_000,
  /** Subscriptions kept for peers that may come back. */
  keptSubscriptions: 10_000,
  /** Size of one log file; size of all log files; age at which a log file is deleted. */
  logSegmentBytes: 64 * 1024 * 1024,
  logBytes: 4 * 1024 * 1024 * 1024,
  logMs: 30 * 24 * 60 * 60 * 1000,
  /** Size of the event file for older tools, before the events are moved away. */
  sidecarLogBytes: 16 * 1024 * 1024,
  /** Size of the daemon's log before rotation. */
  reportBytes: 5 * 1024 * 1024,
  /** Long enough to read a log of the largest size. */
  daemonStartMs: 120_000,
  daemonStopMs: 15_000,
  /** One line of an agent's stream; a longer one is skipped. */
  runLineBytes: 16 * 1024 * 1024,
  /** Questions of an agent that are answered at the same time. */
  runQuestionsAtOnce: 8,
  /** Bytes of an agent's text in a result. */
  runOutputBytes: 8 * 1024 * 1024,
  /** Bytes of an agent's events in a result; beyond the limit the events go to a file. */
  runEventsBytes: 16 * 1024 * 1024,
  /** Characters of an agent's error in a result. */
  runErrorChars: 4096,
  /** A prompt read from standard input. */
  runPromptBytes: 16 * 1024 * 1024,
  /** Silence after which claw ends an agent. */
  runIdleSeconds: 600,
  /** Silence after which claw ends an agent that has reported a result. */
  runLingerMs: 30_000,
  /** How long an agent may take to end after SIGTERM; `runFirmMs` is the wait for a killed agent. */
  runPoliteMs: 500,
  /** Time for an agent's commands to end before the agent, where commands clean up only while the agent lives. */
  runCommandsMs: 3000,
  runFirmMs: 2000,
  /** Bytes of an agent's output that are read ahead. */
  runAheadBytes: 256 * 1024,
  /** How long a permission program may take to answer. */
  permissionSeconds: 60,
  /** A longer prompt is passed to the agent through stdin. */
  promptArgumentBytes: 32 * 1024,
  /** Model requests that a sub-agent may send. */
  subAgentRequests: 32,
  /** Read-only tools that run at the same time. */
  toolsAtOnce: 8,
  /** Request size from which the conversation is compacted before the next request. */
  compactionTokens: 100_000,
  /** Newest messages that a compaction keeps. */
  compactionKeeps: 4,
  /** Tokens of a summary that the model is asked for; characters of a summary that are kept. */
  compactionSummaryTokens: 4096,
  compactionSummaryChars: 12_000,
  /** Characters of a conversation in a request for a summary. */
  compactionTranscriptChars: 160_000,
  /** Default limit of tokens in a model's answer. */
  modelOutputTokens: 16_384,
  /** Default time of a hook; bytes read from the hook's stdout. */
  hookSeconds: 60,
  hookOutputBytes: 1024 * 1024,
  /** Characters of a hook's text for the model or for people. */
  hookTextChars: 16 * 1024,
  /** How long an MCP server may take to start, and by default for a call. */
  mcpStartMs: 10_000,
  mcpCallMs: 120_000,
  /** Tools of one MCP server, further tools are not offered; pages of a tool list. */
  mcpTools: 500,
  mcpPages: 64,
  /** Resources and prompts of one MCP server that are shown; characters of a name or address. */
  mcpResources: 500,
  mcpPrompts: 200,
  mcpNameChars: 1000,
  /** How often in a row claw restarts or reconnects a lost MCP server. A successful request resets the count. */
  mcpRestarts: 3,
  /** Size of a message from an MCP server; a longer message ends the server. */
  mcpMessageBytes: 16 * 1024 * 1024,
  /** Characters of a tool's result that the model gets. */
  mcpResultChars: 100_000,
  /** Characters of an MCP server's description of a tool. */
  mcpDescriptionChars: 8 * 1024,
  /** Characters of the schema of a tool's input; a tool with a longer schema is not offered. */
  mcpSchemaChars: 64 * 1024,
  /** Size of an MCP server file named on the command line. */
  mcpConfigBytes: 1024 * 1024,
  /** Characters of one instruction file, and of all instruction files. */
  instructionChars: 4000,
  instructionsChars: 12_000,
  /** A larger file is not read. */
  instructionBytes: 1024 * 1024,
  /** Skills that are offered; searched folders of a skill location. */
  skills: 200,
  skillFolders: 1000,
  /** Size of a skill file, a larger file is not read; characters of the file and of the description for the model. */
  skillBytes: 256 * 1024,
  /** Characters of front matter that are read as YAML: of one skill, and of all. */
  skillHeadChars: 8192,
  skillHeadsChars: 256 * 1024,
  skillChars: 50_000,
  skillDescriptionChars: 500,
  /** Lines of `git status`, and last commits, in the model's context. */
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
  /** Prompts of a folder that an interactive session can recall; older prompts are forgotten. */
  promptHistoryEntries: 500,
  /** A longer prompt cannot be recalled in a later session. */
  promptHistoryChars: 10_000,
  /** How long claw lists the files that `@` can complete. */
  completionFilesMs: 2000,
  /** Completion candidates shown below the input line. */
  completionsShown: 8,
  /** Files named with `@` in a prompt that the model is told about. */
  mentions: 20,
  /** Bytes of a folder's changes that `diff` shows; time git may take for the diff. */
  diffBytes: 64 * 1024,
  diffTimeoutMs: 30_000,
  /** Bytes kept from a child's stdout or stderr; the rest is dropped. */
  commandOutputBytes: 1024 * 1024,
  gitTimeoutMs: 5000,
  /** How long an agent's CLI may take to report its version. */
  agentVersionMs: 5000,
  /** Characters of a permission rule. */
  ruleChars: 4096,
  ...TOOL_LIMITS,
  ...WORKER_LIMITS,
  ...APPROVAL_LIMITS,
  ...TICKET_LIMITS,
  ...TERMINAL_LIMITS,
  /** A fake agent's scenario file; the text of one event; a pause; repetitions of steps. */
  fakeScenarioBytes: 16 * 1024 * 1024,
  fakeTextBytes: 64 * 1024 * 1024,
  fakeWaitMs: 24 * 60 * 60 * 1000,
  fakeRepeats: 100_000_000,
  ...MODEL_LIMITS,
  ...NOTIFY_LIMITS,
} as const;
