import type { JsonObject } from "claw-contract";
import type * as played from "../voice.ts";
import * as items from "./app-server-items.ts";
import * as lines from "./app-server-lines.ts";
import { approvalParams, questionParams } from "./app-server-requests.ts";
import { codexError, retryReason } from "./codex-errors.ts";
import type { CodexThread } from "./codex-thread.ts";
import { complaint } from "./codex-thread.ts";
import type { NativeTool } from "./native-tool.ts";
import { nativeTool } from "./native-tool.ts";

/** The kind of an error, as the protocol names it. */
const errorInfo = (name: string, httpStatusCode: number | null): JsonObject => ({ [name]: { httpStatusCode } });

/** Codex's app-server: JSON-RPC with everything that happens, and questions. */
export class AppServerVoice implements played.Voice {
  readonly awaitsBackground = false;
  readonly #thread: CodexThread;
  #numbers = 0;
  #turns = 0;
  #requests = 0;
  #lastMessage: JsonObject | undefined;

  constructor(thread: CodexThread) {
    this.#thread = thread;
  }

  open(prompt: string): played.Said {
    this.#turns += 1;
    this.#lastMessage = undefined;
    const asked = items.userMessage(this.#thread.stage.uuid(), prompt);
    return [
      lines.activeLine(this.#thread),
      lines.turnLine(this.#thread, "turn/started", { status: "inProgress" }),
      lines.itemStarted(this.#thread, asked),
      lines.itemCompleted(this.#thread, asked),
    ];
  }

  text(text: string, agent?: played.SubAgent): played.Said {
    const place = this.#place(agent);
    const id = this.#id("msg");
    const done = lines.itemCompleted(this.#thread, items.agentMessage(id, text), place);
    if (agent === undefined) this.#lastMessage = (done["params"] as { item: JsonObject }).item;
    return [
      lines.itemStarted(this.#thread, items.agentMessage(id, ""), place),
      lines.notify(this.#thread, "item/agentMessage/delta", { ...place, itemId: id, delta: text }),
      done,
    ];
  }

  thinking(text: string, agent?: played.SubAgent): played.Said {
    const place = this.#place(agent);
    const id = this.#id("rs");
    const at = { ...place, itemId: id };
    return [
      lines.itemStarted(this.#thread, items.reasoning(id, []), place),
      lines.notify(this.#thread, "item/reasoning/summaryPartAdded", { ...at, summaryIndex: 0 }),
      lines.notify(this.#thread, "item/reasoning/summaryTextDelta", { ...at, delta: text, summaryIndex: 0 }),
      lines.itemCompleted(this.#thread, items.reasoning(id, [text]), place),
    ];
  }

  tool({ name, input, output, failed }: played.ToolStep, agent?: played.SubAgent): played.Said {
    const { cwd } = this.#thread;
    const place = this.#place(agent);
    const tool = nativeTool(name, input, cwd);
    const id = this.#id("call");
    const item = (status: items.ItemStatus): items.PlayedItem => items.toolItem(tool, { id, cwd, status, output });
    const delta = { ...place, itemId: id, delta: output };
    return [
      lines.itemStarted(this.#thread, item("inProgress"), place),
      ...(tool.kind === "command" ? [lines.notify(this.#thread, "item/commandExecution/outputDelta", delta)] : []),
      lines.itemCompleted(this.#thread, item(failed ? "failed" : "completed"), place),
    ];
  }

  subAgentBegins(step: played.SubAgentStep): { agent: played.SubAgent; said: played.Said } {
    const [agentId, runId] = [this.#thread.stage.uuid(), this.#thread.stage.uuid()];
    const agent: played.SubAgent = { step, callId: this.#id("call"), agentId, runId };
    const { model } = this.#thread;
    const states = { [agentId]: { status: "pendingInit", message: null } };
    const begun = this.#collab("spawnAgent", { id: agent.callId, prompt: step.prompt, model });
    const ended = { ...begun, receiverThreadIds: [agentId], agentsStates: states, status: "completed" };
    return {
      agent,
      said: [
        lines.itemStarted(this.#thread, begun),
        lines.itemCompleted(this.#thread, ended),
        lines.turnLine(this.#thread, "turn/started", { status: "inProgress", place: this.#place(agent) }),
      ],
    };
  }

  subAgentEnds(agent: played.SubAgent): played.Said {
    const { agentId, step } = agent;
    const waiting = { ...this.#collab("wait", { id: this.#id("call") }), receiverThreadIds: [agentId] };
    const states = { [agentId]: { status: "completed", message: step.result } };
    return [
      lines.itemStarted(this.#thread, waiting),
      ...this.text(step.result, agent),
      lines.turnLine(this.#thread, "turn/completed", { status: "completed", place: this.#place(agent) }),
      lines.itemCompleted(this.#thread, { ...waiting, agentsStates: states, status: "completed" }),
    ];
  }

  retry(step: played.RetryStep): played.Said {
    const codexErrorInfo = errorInfo("responseStreamDisconnected", step.status);
    const message = `Reconnecting... ${step.attempt}/${step.of}`;
    const error = { message, codexErrorInfo, additionalDetails: retryReason(step), misalignment: null };
    return [lines.notify(this.#thread, "error", { error, willRetry: true, ...lines.placeOf(this.#thread) })];
  }

  close(): played.Said {
    const said = this.#lastMessage === undefined ? [] : [this.#lastMessage];
    return [
      ...lines.usageLines(this.#thread, this.#turns),
      this.#read(),
      lines.statusLine(this.#thread, { type: "idle" }),
      lines.turnLine(this.#thread, "turn/completed", { status: "completed", items: said }),
    ];
  }

  fail(step: played.FailStep): played.Said {
    const name = step.status === 429 ? "responseTooManyFailedAttempts" : "httpConnectionFailed";
    const codexErrorInfo = errorInfo(name, step.status);
    const error = { message: codexError(step), codexErrorInfo, additionalDetails: null, misalignment: null };
    return [
      lines.statusLine(this.#thread, { type: "systemError" }),
      lines.notify(this.#thread, "error", { error, willRetry: false, ...lines.placeOf(this.#thread) }),
      this.#read(),
      lines.turnLine(this.#thread, "turn/completed", { status: "failed", error }),
    ];
  }

  /** Codex has no limits on turns or budget, so the turn just ends. */
  stop(): { said: played.Said; failed: boolean } {
    return { said: this.close(), failed: false };
  }

  interrupted(): played.Said {
    return [
      lines.statusLine(this.#thread, { type: "idle" }),
      lines.turnLine(this.#thread, "turn/completed", { status: "interrupted" }),
    ];
  }

  asks(step: played.PermissionStep): played.PlayedRequest | null {
    if (!this.#thread.asks) return null;
    const tool = this.#toolOf(step);
    const id = this.#nextRequest();
    const itemId = this.#callOf(id);
    const { method, params } = approvalParams(this.#thread, tool, { itemId, reason: step.reason });
    const said = [
      lines.activeLine(this.#thread, "waitingOnApproval"),
      lines.itemStarted(this.#thread, this.#asked(step, itemId, "inProgress")),
      { method, id, params },
    ];
    return { id: String(id), said };
  }

  permits(step: played.PermissionStep, id: string | null): played.Said {
    const { tool, input, output } = step;
    if (id === null) return this.tool({ type: "tool", name: tool, input, output, failed: false });
    return [...this.#resolved(id), lines.itemCompleted(this.#thread, this.#asked(step, this.#callOf(id), "completed"))];
  }

  denies(step: played.PermissionStep, id: string | null): played.Said {
    if (id === null) return [complaint(this.#thread, `${step.tool} rejected: approval policy is never`)];
    return [...this.#resolved(id), lines.itemCompleted(this.#thread, this.#asked(step, this.#callOf(id), "declined"))];
  }

  asksQuestion(step: played.QuestionStep): played.PlayedRequest | null {
    if (!this.#thread.asks) return null;
    const id = this.#nextRequest();
    const params = questionParams(this.#thread, this.#callOf(id), step);
    const waiting = lines.activeLine(this.#thread, "waitingOnUserInput");
    return { id: String(id), said: [waiting, { method: "item/tool/requestUserInput", id, params }] };
  }

  answered(_step: played.QuestionStep, id: string, _answer: played.PlayedAnswer): played.Said {
    return this.#resolved(id);
  }

  unasked(): played.Said {
    return [complaint(this.#thread, "request_user_input is unavailable in Default mode")];
  }

  lastText(): string {
    return typeof this.#lastMessage?.["text"] === "string" ? this.#lastMessage["text"] : "";
  }

  #place(agent: played.SubAgent | undefined): lines.TurnPlace {
    return agent === undefined ? lines.placeOf(this.#thread) : { threadId: agent.agentId, turnId: agent.runId };
  }

  #id(kind: string): string {
    this.#numbers += 1;
    return `${kind}_fake_${this.#numbers}`;
  }

  #nextRequest(): number {
    this.#requests += 1;
    return this.#requests - 1;
  }

  #callOf(request: string | number): string {
    return `call_fake_asked_${request}`;
  }

  #toolOf({ tool, input }: played.PermissionStep): NativeTool {
    return nativeTool(tool, input, this.#thread.cwd);
  }

  #asked(step: played.PermissionStep, id: string, status: items.ItemStatus): items.PlayedItem {
    return items.toolItem(this.#toolOf(step), { id, cwd: this.#thread.cwd, status, output: step.output });
  }

  #collab(
    tool: "spawnAgent" | "wait",
    { id, prompt = null, model = null }: { id: string; prompt?: string | null; model?: string | null },
  ): items.PlayedItem {
    const facts = { id, tool, prompt, model, sender: this.#thread.id, receivers: [], states: {} };
    return items.collabItem({ ...facts, status: "inProgress" });
  }

  #resolved(id: string): played.Said {
    const params = { threadId: this.#thread.id, requestId: Number(id) };
    return [lines.notify(this.#thread, "serverRequest/resolved", params), lines.activeLine(this.#thread)];
  }

  #read(): JsonObject {
    const firstUnread = { type: "turn", turnId: this.#thread.turnId };
    const readState = { firstUnread, revision: this.#thread.stage.uuid() };
    return lines.notify(this.#thread, "thread/readState/changed", { threadId: this.#thread.id, readState });
  }
}
