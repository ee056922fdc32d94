import type { JsonObject } from "claw-contract";
import type { PlayedItem } from "./app-server-items.ts";
import { CODEX_VERSION } from "./codex-call.ts";
import type { CodexThread } from "./codex-thread.ts";

/** Whose turn something happens in: the thread's own, or a sub-agent's. */
export interface TurnPlace {
  readonly threadId: string;
  readonly turnId: string;
}

const nowMs = ({ stage }: CodexThread): number => stage.now().getTime();
const nowSeconds = (thread: CodexThread): number => Math.floor(nowMs(thread) / 1000);

export const placeOf = ({ id, turnId }: CodexThread): TurnPlace => ({ threadId: id, turnId });

export const notify = (thread: CodexThread, method: string, params: JsonObject): JsonObject => ({
  method,
  params,
  emittedAtMs: nowMs(thread),
});

export const statusLine = (thread: CodexThread, status: JsonObject, threadId = thread.id): JsonObject =>
  notify(thread, "thread/status/changed", { threadId, status });

export const activeLine = (thread: CodexThread, ...activeFlags: string[]): JsonObject =>
  statusLine(thread, { type: "active", activeFlags });

export function itemStarted(thread: CodexThread, item: PlayedItem, place = placeOf(thread)): JsonObject {
  const startedAtMs = nowMs(thread);
  return notify(thread, "item/started", { item: { ...item, startedAtMs, completedAtMs: null }, ...place, startedAtMs });
}

export function itemCompleted(thread: CodexThread, item: PlayedItem, place = placeOf(thread)): JsonObject {
  const completedAtMs = nowMs(thread);
  const whole = { ...item, startedAtMs: completedAtMs, completedAtMs };
  return notify(thread, "item/completed", { item: whole, ...place, completedAtMs });
}

export interface TurnState {
  readonly status: "inProgress" | "completed" | "interrupted" | "failed";
  readonly items?: readonly JsonObject[];
  readonly error?: JsonObject;
  readonly place?: TurnPlace;
}

/** A turn as the protocol shows it. One that was only asked for has not begun. */
export function turnObject(thread: CodexThread, { status, items = [], error, place }: TurnState): JsonObject {
  const over = status !== "inProgress";
  return {
    id: place?.turnId ?? thread.turnId,
    rootTurnId: thread.turnId,
    items,
    itemsView: items.length === 0 ? "notLoaded" : "summary",
    status,
    error: error ?? null,
    startedAt: nowSeconds(thread),
    completedAt: over ? nowSeconds(thread) : null,
    durationMs: over ? 1 : null,
  };
}

export const turnLine = (
  thread: CodexThread,
  method: "turn/started" | "turn/completed",
  state: TurnState,
): JsonObject =>
  notify(thread, method, { threadId: state.place?.threadId ?? thread.id, turn: turnObject(thread, state) });

/** What follows every answer of the model. */
export function usageLines(thread: CodexThread, turns: number): JsonObject[] {
  const { input_tokens, output_tokens } = thread.usage;
  const count = (times: number): JsonObject => ({
    totalTokens: (input_tokens + output_tokens) * times,
    inputTokens: input_tokens * times,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: output_tokens * times,
    reasoningOutputTokens: 0,
  });
  const tokenUsage = { total: count(turns), last: count(1), modelContextWindow: 258_400 };
  const rateLimits = {
    limitId: "codex",
    limitName: null,
    normalModelSlug: null,
    primary: null,
    secondary: null,
    credits: null,
    individualLimit: null,
    spendControlReached: null,
    planType: null,
    rateLimitReachedType: null,
  };
  return [
    notify(thread, "thread/tokenUsage/updated", { ...placeOf(thread), tokenUsage }),
    notify(thread, "account/rateLimits/updated", { rateLimits }),
  ];
}

/** A thread as `thread/start` answers and `thread/started` tells it. */
export function threadObject(thread: CodexThread): JsonObject {
  const { id, cwd, model } = thread;
  const at = nowSeconds(thread);
  return {
    id,
    environments: [{ environmentId: "local", cwd, runtimeWorkspaceRoots: [cwd] }],
    extra: null,
    sessionId: id,
    forkedFromId: null,
    parentThreadId: null,
    preview: "",
    ephemeral: false,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: "paginated",
    modelProvider: "fake",
    model,
    reasoningEffort: null,
    createdAt: at,
    updatedAt: at,
    recencyAt: at,
    status: { type: "idle" },
    path: `${cwd}/rollout-${id}.jsonl`,
    cwd,
    cliVersion: CODEX_VERSION,
    originator: "fake",
    source: "vscode",
    canAcceptDirectInput: true,
    threadSource: null,
    agentNickname: null,
    agentRole: null,
    gitInfo: null,
    name: null,
    daybreakEnabled: null,
    turns: [],
  };
}

/** What the server says of a sandbox. */
function sandboxPolicy(sandbox: string): JsonObject {
  if (sandbox === "danger-full-access") return { type: "dangerFullAccess" };
  if (sandbox === "read-only") return { type: "readOnly", networkAccess: false };
  const open = { networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false };
  return { type: "workspaceWrite", writableRoots: [], ...open };
}

/** The answer to `thread/start`. */
export const threadAnswer = (thread: CodexThread): JsonObject => ({
  thread: threadObject(thread),
  model: thread.model,
  modelProvider: "fake",
  serviceTier: null,
  disabledPluginIds: [],
  cwd: thread.cwd,
  runtimeWorkspaceRoots: [thread.cwd],
  instructionSources: [],
  approvalPolicy: thread.asks ? "on-request" : "never",
  approvalsReviewer: "user",
  sandbox: sandboxPolicy(thread.sandbox),
  activePermissionProfile: null,
  reasoningEffort: null,
  multiAgentMode: "explicitRequestOnly",
});
