import type { JsonObject } from "claw-contract";
import type { FailStep, PermissionStep, RetryStep, Said, SubAgent, SubAgentStep, ToolStep, Voice } from "../voice.ts";
import { codexError, retryReason } from "./codex-errors.ts";
import type { CodexThread } from "./codex-thread.ts";
import { complaint } from "./codex-thread.ts";
import type { NativeTool } from "./native-tool.ts";
import { nativeTool, shellLine } from "./native-tool.ts";

type Item = JsonObject & { readonly type: string };

/** An item when it begins and when it is over. */
function toolItems(tool: NativeTool, { output, failed }: ToolStep): { begun: Item; ended: Item } {
  const [running, over] = [{ status: "in_progress" }, { status: failed ? "failed" : "completed" }];
  if (tool.kind === "command") {
    const item = { type: "command_execution", command: shellLine(tool.command) };
    return {
      begun: { ...item, aggregated_output: "", exit_code: null, ...running },
      ended: { ...item, aggregated_output: output, exit_code: failed ? 1 : 0, ...over },
    };
  }
  if (tool.kind === "files") {
    const item = { type: "file_change", changes: [{ path: tool.path, kind: tool.change }] };
    return { begun: { ...item, ...running }, ended: { ...item, ...over } };
  }
  const item = { type: "mcp_tool_call", server: tool.server, tool: tool.tool, arguments: tool.arguments };
  const result = { content: [{ type: "text", text: output }], structured_content: null };
  return {
    begun: { ...item, result: null, error: null, ...running },
    ended: { ...item, result, error: null, ...over },
  };
}

/** `codex exec --json`. This form never asks for permission, and its stream does not show refused calls. */
export class CodexExecVoice implements Voice {
  readonly awaitsBackground = false;
  readonly #thread: CodexThread;
  #items = 0;
  #turns = 0;
  #lastText = "";

  constructor(thread: CodexThread) {
    this.#thread = thread;
  }

  open(): Said {
    const begun = this.#turns === 0 ? [{ type: "thread.started", thread_id: this.#thread.id }] : [];
    this.#turns += 1;
    return [...begun, { type: "turn.started" }];
  }

  text(text: string, agent?: SubAgent): Said {
    if (agent !== undefined) return [];
    this.#lastText = text;
    return [this.#completed({ type: "agent_message", text })];
  }

  thinking(text: string, agent?: SubAgent): Said {
    return agent === undefined ? [this.#completed({ type: "reasoning", text })] : [];
  }

  tool(step: ToolStep, agent?: SubAgent): Said {
    if (agent !== undefined) return [];
    const { begun, ended } = toolItems(nativeTool(step.name, step.input, this.#thread.cwd), step);
    return this.#both(begun, ended);
  }

  subAgentBegins(step: SubAgentStep): { agent: SubAgent; said: Said } {
    const agentId = this.#thread.stage.uuid();
    const call = this.#collab("spawn_agent", step.prompt);
    const states = { [agentId]: { status: "pending_init", message: null } };
    const ended = { ...call, receiver_thread_ids: [agentId], agents_states: states, status: "completed" };
    const said = this.#both({ ...call, receiver_thread_ids: [] }, ended);
    return { agent: { step, callId: agentId, agentId, runId: agentId }, said };
  }

  subAgentEnds({ agentId, step }: SubAgent): Said {
    const call = { ...this.#collab("wait", null), receiver_thread_ids: [agentId] };
    const states = { [agentId]: { status: "completed", message: step.result } };
    return this.#both(call, { ...call, agents_states: states, status: "completed" });
  }

  retry(step: RetryStep): Said {
    return [{ type: "error", message: `Reconnecting... ${step.attempt}/${step.of} (${retryReason(step)})` }];
  }

  close(): Said {
    const { input_tokens, output_tokens } = this.#thread.usage;
    const usage = {
      input_tokens: input_tokens * this.#turns,
      cached_input_tokens: 0,
      cache_write_input_tokens: 0,
      output_tokens: output_tokens * this.#turns,
      reasoning_output_tokens: 0,
    };
    return [{ type: "turn.completed", usage }];
  }

  fail(step: FailStep): Said {
    const message = codexError(step);
    return [
      { type: "error", message },
      { type: "turn.failed", error: { message } },
    ];
  }

  /** Codex has no limits on turns or budget, so the turn just ends. */
  stop(): { said: Said; failed: boolean } {
    return { said: this.close(), failed: false };
  }

  interrupted(): Said {
    return [];
  }

  asks(): null {
    return null;
  }

  permits({ tool, input, output }: PermissionStep): Said {
    return this.tool({ type: "tool", name: tool, input, output, failed: false });
  }

  denies({ tool }: PermissionStep): Said {
    return [complaint(this.#thread, `${tool} rejected: approval policy is never`)];
  }

  asksQuestion(): null {
    return null;
  }

  answered(): Said {
    return [];
  }

  unasked(): Said {
    return [complaint(this.#thread, "request_user_input is unavailable in Default mode")];
  }

  lastText(): string {
    return this.#lastText;
  }

  #collab(tool: string, prompt: string | null): Item {
    const sender = { sender_thread_id: this.#thread.id };
    return { type: "collab_tool_call", tool, ...sender, prompt, agents_states: {}, status: "in_progress" };
  }

  #nextId(): { readonly id: string } {
    this.#items += 1;
    return { id: `item_${this.#items - 1}` };
  }

  #completed(item: Item): JsonObject {
    return { type: "item.completed", item: { ...this.#nextId(), ...item } };
  }

  #both(begun: Item, ended: Item): Said {
    const id = this.#nextId();
    return [
      { type: "item.started", item: { ...id, ...begun } },
      { type: "item.completed", item: { ...id, ...ended } },
    ];
  }
}
