import type { FakeScenario, JsonObject } from "claw-contract";
import type * as played from "../voice.ts";

/** A line on the screen. */
const line = (text: string): JsonObject => ({ line: text });
/** A report to hooks. */
const hook = (event: string, fields: JsonObject = {}): JsonObject => ({ hook: event, fields });

/** Sets whether the screen shows next to the prompt that the agent is at work. */
const atWork = (isAtWork: boolean): JsonObject => ({ atWork: isAtWork });

const RATE_LIMITED = 429;

/** How a fake agent speaks on a terminal: lines, reports to hooks, and dialogs, in order. */
export class TerminalVoice implements played.Voice {
  readonly awaitsBackground = false;
  readonly #results: FakeScenario["usage"];
  #last = "";
  #calls = 0;

  constructor({ usage }: FakeScenario) {
    this.#results = usage;
  }

  open(prompt: string): played.Said {
    return prompt === "" ? [] : [line(`> ${prompt}`), atWork(true), hook("UserPromptSubmit", { prompt })];
  }

  text(text: string): played.Said {
    this.#last = text;
    return [line(`● ${text}`)];
  }

  thinking(text: string): played.Said {
    return [line(`∴ ${text}`)];
  }

  tool({ name, input, output, failed }: played.ToolStep): played.Said {
    const call = this.#call(name, input);
    const result = failed ? hook("PostToolUseFailure", call) : hook("PostToolUse", { ...call, tool_response: output });
    return [hook("PreToolUse", call), line(`● ${name}`), ...(output === "" ? [] : [line(`  ⎿ ${output}`)]), result];
  }

  subAgentBegins(step: played.SubAgentStep): { agent: played.SubAgent; said: played.Said } {
    const callId = this.#next();
    return { agent: { step, callId, agentId: callId, runId: callId }, said: [line(`● Agent: ${step.description}`)] };
  }

  subAgentEnds({ step }: played.SubAgent): played.Said {
    return [line(`  ⎿ ${step.result}`), hook("SubagentStop")];
  }

  retry({ attempt, of }: played.RetryStep): played.Said {
    return [line(`Retrying (${attempt}/${of})…`)];
  }

  close(): played.Said {
    const tokens = this.#results?.output_tokens ?? 0;
    return [line(`✻ Done${tokens === 0 ? "" : `, ${tokens} tokens`}`), hook("Stop", this.#lastFields()), atWork(false)];
  }

  fail({ status, message }: played.FailStep): played.Said {
    const error = status === RATE_LIMITED ? "rate_limit" : "server_error";
    return [line(`API Error: ${status} ${message ?? ""}`), hook("StopFailure", { error }), atWork(false)];
  }

  stop({ reason }: played.StopStep): { said: played.Said; failed: boolean } {
    return { said: [line(`Stopped: ${reason}`), hook("Stop", this.#lastFields()), atWork(false)], failed: true };
  }

  interrupted(): played.Said {
    return [line("Interrupted"), atWork(false)];
  }

  asks({ tool, input, reason }: played.PermissionStep): played.PlayedRequest {
    const call = this.#call(tool, input);
    const id = String(call["tool_use_id"]);
    return { id, said: [hook("PreToolUse", call), { ask: id, call, question: `${tool}: ${reason}` }] };
  }

  permits({ tool, input, output }: played.PermissionStep, id: string | null): played.Said {
    const call = { tool_name: tool, tool_input: input, tool_use_id: id ?? this.#next() };
    return [line(`● ${tool}`), ...(output === "" ? [] : [line(`  ⎿ ${output}`)]), hook("PostToolUse", call)];
  }

  denies({ tool }: played.PermissionStep, _id: string | null, answer: played.PlayedAnswer | null): played.Said {
    return [line(`● ${tool} was denied${answer === null || answer.text === "" ? "" : `: ${answer.text}`}`)];
  }

  asksQuestion({ question, options }: played.QuestionStep): played.PlayedRequest {
    const id = this.#next();
    const call = { tool_name: "AskUserQuestion", tool_input: { questions: [{ question, options }] }, tool_use_id: id };
    return { id, said: [hook("PreToolUse", call), { ask: id, call, question }] };
  }

  answered(_step: played.QuestionStep, _id: string, { text }: played.PlayedAnswer): played.Said {
    return [line(`● Answered: ${text}`)];
  }

  unasked(): played.Said {
    return [];
  }

  lastText(): string {
    return this.#last;
  }

  #lastFields(): JsonObject {
    return { stop_hook_active: false, last_assistant_message: this.#last };
  }

  #call(name: string, input: JsonObject): JsonObject {
    return { tool_name: name, tool_input: input, tool_use_id: this.#next() };
  }

  #next(): string {
    this.#calls += 1;
    return `toolu_${this.#calls}`;
  }
}
