import type { JsonObject } from "claw-contract";
import { isObject } from "claw-contract";
import { saysWaiting } from "../result/classify.ts";
import type { DenialBook, TextStore, WarningList } from "../stores/limited-stores.ts";
import { createDenialBook, createTextStore, createWarningList } from "../stores/limited-stores.ts";
import type { FinalMessageTracker, TaskBook } from "../result/loose-ends.ts";
import { createFinalMessageTracker, createTaskBook } from "../result/loose-ends.ts";
import type {
  AgentToolCall,
  AgentUsage,
  MessageStart,
  RunFailure,
  RunUpdate,
  TurnEnd,
  UsageLimit,
} from "./run-update.ts";

/** Everything a stream has told so far. Written by `applyUpdate` alone. */
export interface RunFacts {
  sessionId: string | null;
  model: string | null;
  apiKeySource: string | null;
  cliVersion: string | null;
  permissionMode: string | null;
  readonly output: TextStore;
  readonly subagentOutput: TextStore;
  /** Whether text that was not kept speaks of waiting. */
  saysWaiting: boolean;
  readonly finalMessage: FinalMessageTracker;
  turnEnd: TurnEnd | null;
  turnEnds: number;
  turnsStarted: number;
  isTurnOpen: boolean;
  /** A failure since the last end of a turn. */
  failure: RunFailure | null;
  usage: AgentUsage;
  /** Token sums over messages, for the time before the agent tells totals. */
  readonly liveUsage: { inputTokens: number; outputTokens: number };
  messageId: string | null;
  /** Output tokens of message `messageId` that `liveUsage` includes. */
  messageOutput: number;
  /** Lines that were too long to be read. */
  lostLines: number;
  /** Sub-agents that were asked to run in the background. */
  launches: number;
  readonly denials: DenialBook;
  readonly tasks: TaskBook;
  metadata: JsonObject;
  /** The latest report about a limit of the account. */
  limit: UsageLimit | null;
  /** The last update that tells what the agent is doing. */
  latest: RunUpdate | null;
  readonly warnings: WarningList;
}

export const createRunFacts = (maxOutputBytes: number): RunFacts => ({
  sessionId: null,
  model: null,
  apiKeySource: null,
  cliVersion: null,
  permissionMode: null,
  output: createTextStore(maxOutputBytes),
  subagentOutput: createTextStore(maxOutputBytes),
  saysWaiting: false,
  finalMessage: createFinalMessageTracker(),
  turnEnd: null,
  turnEnds: 0,
  turnsStarted: 0,
  isTurnOpen: true,
  failure: null,
  usage: {},
  liveUsage: { inputTokens: 0, outputTokens: 0 },
  messageId: null,
  messageOutput: 0,
  lostLines: 0,
  launches: 0,
  denials: createDenialBook(maxOutputBytes),
  tasks: createTaskBook(),
  metadata: {},
  limit: null,
  latest: null,
  warnings: createWarningList(),
});

function applyText(facts: RunFacts, text: string, agent: string | null): void {
  if (agent !== null) {
    facts.subagentOutput.add(text);
    return;
  }
  facts.finalMessage.addText(text);
  const isKept = facts.output.add(text);
  if (!isKept && facts.launches > 0 && !facts.saysWaiting) facts.saysWaiting = saysWaiting(text);
}

const SUBAGENT_TOOLS: ReadonlySet<string> = new Set(["Task", "Agent"]);

function applyCall(facts: RunFacts, { name, input, agent }: AgentToolCall): void {
  if (agent !== null) return;
  facts.finalMessage.addCall(name);
  if (SUBAGENT_TOOLS.has(name) && isObject(input) && input["run_in_background"] === true) facts.launches += 1;
}

function applyMessage(facts: RunFacts, message: MessageStart): void {
  if (message.agent === null) facts.finalMessage.start(message);
  const isKnown = message.id !== null && message.id === facts.messageId;
  const counted = isKnown ? facts.messageOutput : 0;
  facts.messageId = message.id;
  facts.messageOutput = Math.max(counted, message.outputTokens);
  facts.liveUsage.inputTokens += isKnown ? 0 : message.inputTokens;
  facts.liveUsage.outputTokens += facts.messageOutput - counted;
}

function applyTurnStart(facts: RunFacts, start: RunUpdate): void {
  facts.latest = start;
  facts.turnsStarted += 1;
  facts.isTurnOpen = true;
}

function applyTurnEnd(facts: RunFacts, end: TurnEnd): void {
  facts.latest = end;
  facts.turnEnd = end;
  facts.turnEnds += 1;
  facts.isTurnOpen = false;
  facts.failure = null;
  facts.usage = { ...facts.usage, ...end.usage };
  facts.metadata = { ...facts.metadata, ...end.metadata };
  for (const denial of end.permissionDenials) facts.denials.note(denial);
  facts.tasks.noteTurnEnd();
}

function applySession(facts: RunFacts, update: RunUpdate & { readonly kind: "session" }): void {
  facts.sessionId = update.sessionId ?? facts.sessionId;
  facts.model = update.model ?? facts.model;
  facts.apiKeySource ??= update.apiKeySource;
  facts.cliVersion = update.cliVersion ?? facts.cliVersion;
  facts.permissionMode = update.permissionMode ?? facts.permissionMode;
}

function applyDenial({ denials }: RunFacts, { tool, id, input }: RunUpdate & { kind: "permission-denied" }): void {
  const asked = input === undefined ? {} : { tool_input: input };
  denials.note({ tool_name: tool, tool_use_id: id, ...asked });
}

function applyUsage(facts: RunFacts, { kind: _kind, ...usage }: RunUpdate & { kind: "usage" }): void {
  facts.usage = { ...facts.usage, ...usage };
}

/** Adds a notice of the agent to the result's warnings, unless the result reports the notice as a number. */
function applyNotice({ warnings }: RunFacts, { text, isCounted = false }: RunUpdate & { kind: "notice" }): void {
  if (text !== "" && !isCounted) warnings.add(`agent-notice: ${text}`);
}

/** Whether a session update only changes the permission mode. */
const isModeAlone = (update: RunUpdate & { readonly kind: "session" }): boolean =>
  update.sessionId === null && typeof update.permissionMode === "string";

/**
 * Applies an update. An update about the agent's activity becomes the latest update. The kinds of every message stand
 * first, to serve the rows `short lines`.
 */
export function applyUpdate(facts: RunFacts, update: RunUpdate): void {
  switch (update.kind) {
    case "message":
      return applyMessage(facts, update);
    case "text":
      facts.latest = update;
      return applyText(facts, update.text, update.agent);
    case "tool-call":
      facts.latest = update;
      return applyCall(facts, update);
    case "tool-result":
    case "thinking":
    case "text-delta":
    case "retry":
    case "request":
      facts.latest = update;
      return;
    case "session":
      if (!isModeAlone(update)) facts.latest = update;
      return applySession(facts, update);
    case "turn-started":
      return applyTurnStart(facts, update);
    case "task":
      return facts.tasks.note(update);
    case "permission-denied":
      return applyDenial(facts, update);
    case "usage":
      return applyUsage(facts, update);
    case "limit":
      facts.limit = update;
      return;
    case "failure":
      facts.failure = update;
      return;
    case "turn-end":
      return applyTurnEnd(facts, update);
    case "warning":
      return facts.warnings.add(update.text);
    case "notice":
      return applyNotice(facts, update);
    case "model":
      facts.model = update.model;
  }
}
