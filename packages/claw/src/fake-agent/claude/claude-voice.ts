import type { JsonObject } from "claw-contract";
import type * as played from "../voice.ts";
import { apiError, apiErrorLine, limitLine, retryError } from "./api-errors.ts";
import * as ask from "./ask-lines.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { SUB_AGENT_TYPE } from "./claude-session.ts";
import { ClaudeTurn } from "./claude-turn.ts";
import { claudeInitLine } from "./init-line.ts";
import { assistantLine, partialLines, userLine } from "./message-lines.ts";
import { createPlayedUsage, refusalLine, stoppedLine, successLine } from "./result-line.ts";
import * as task from "./task-lines.ts";
import { BY_RULE, BY_USER, toolResultLine } from "./tool-lines.ts";

const STOPS = {
  max_turns: { subtype: "error_max_turns", reason: "max_turns", error: "Reached maximum number of turns" },
  max_budget: { subtype: "error_max_budget_usd", reason: "budget_exhausted", error: "Reached maximum budget" },
} as const;

const asTool = ({ tool, input, output }: played.PermissionStep): played.ToolStep => ({
  type: "tool",
  name: tool,
  input,
  output,
  failed: false,
});

/** Claude Code in `stream-json`. */
export class ClaudeVoice implements played.Voice {
  readonly awaitsBackground = true;
  readonly #session: ClaudeSession;
  readonly #tally = createPlayedUsage();
  /** Ids of calls by the ids of the requests about them. */
  readonly #requests = new Map<string, string>();
  readonly #background: played.SubAgent[] = [];
  #turn: ClaudeTurn;

  constructor(session: ClaudeSession) {
    this.#session = session;
    this.#turn = new ClaudeTurn(session);
  }

  open(): played.Said {
    this.#turn = new ClaudeTurn(this.#session, this.#turn.uncounted());
    return [claudeInitLine(this.#session)];
  }

  text(text: string, agent?: played.SubAgent): played.Said {
    if (agent === undefined) return this.#says(text);
    return this.#shows(agent) ? [this.#block({ type: "text", text }, agent)] : [];
  }

  thinking(text: string, agent?: played.SubAgent): played.Said {
    const block = { type: "thinking", thinking: text, signature: "ZmFrZQ==" };
    if (agent !== undefined) return this.#shows(agent) ? [this.#block(block, agent)] : [];
    const tokens = Math.ceil(text.length / 4);
    const counted = { subtype: "thinking_tokens", estimated_tokens: tokens, estimated_tokens_delta: tokens };
    const more = { thinking_duration_ms: 1, thinking_display: "updates" };
    const shown = assistantLine(this.#session, this.#turn.message(), block, { more });
    return [{ type: "system", ...counted, ...this.#session.stamp() }, shown];
  }

  tool(step: played.ToolStep, agent?: played.SubAgent): played.Said {
    const { id, line } = this.#turn.call(step.name, step.input, agent);
    const progress = agent === undefined ? [] : [task.taskProgressLine(this.#session, agent, step)];
    return [...progress, line, toolResultLine(this.#session, step, { id, decision: BY_RULE, agent })];
  }

  subAgentBegins(step: played.SubAgentStep): { agent: played.SubAgent; said: played.Said } {
    const { description, prompt, background } = step;
    const input = { description, prompt, subagent_type: SUB_AGENT_TYPE, run_in_background: background };
    const { id, line } = this.#turn.call("Task", input);
    const number = this.#session.next();
    const agent = { step, callId: id, agentId: `a_fake_${number}`, runId: `run_fake_${number}` };
    this.#tally.subAgents.spawned += 1;
    const started = task.startedLine(this.#session, agent);
    if (!background) {
      const asked = userLine(this.#session, [{ type: "text", text: prompt }], { agent });
      return { agent, said: [line, started, asked] };
    }
    this.#tally.subAgents.background += 1;
    this.#background.push(agent);
    const changed = task.backgroundLine(this.#session, this.#background);
    return { agent, said: [line, changed, started, task.launchedLine(this.#session, agent)] };
  }

  subAgentEnds(agent: played.SubAgent): played.Said {
    this.#tally.subAgents.completed += 1;
    const ended = task.endedLines(this.#session, agent);
    const place = this.#background.indexOf(agent);
    if (place === -1) return [...ended, task.handedBackLine(this.#session, agent)];
    this.#background.splice(place, 1);
    const changed = task.backgroundLine(this.#session, this.#background);
    return [this.#block({ type: "text", text: agent.step.result }, agent), ...ended, changed];
  }

  retry({ status, attempt, of, delay_ms }: played.RetryStep): played.Said {
    const tried = { attempt, max_retries: of, retry_delay_ms: delay_ms };
    const why = { error_status: status, error: retryError(status) };
    return [{ type: "system", subtype: "api_retry", ...tried, ...why, ...this.#session.stamp() }];
  }

  close(about?: played.SubAgent): played.Said {
    const facts = { ...this.#turn.settle(), text: this.#turn.lastText, about };
    return [successLine(this.#session, this.#tally, facts)];
  }

  fail(step: played.FailStep): played.Said {
    const error = apiError(step);
    const result = refusalLine(this.#session, this.#tally, { ...this.#turn.settle(), ...error });
    const limit = step.resets_in_ms === undefined ? [] : [limitLine(this.#session, step.resets_in_ms)];
    return [...limit, apiErrorLine(this.#session, error), result];
  }

  stop({ reason }: played.StopStep): { said: played.Said; failed: boolean } {
    const result = stoppedLine(this.#session, this.#tally, { ...this.#turn.settle(), ...STOPS[reason] });
    return { said: [result], failed: true };
  }

  interrupted(): played.Said {
    const facts = this.#turn.settle();
    const tools = facts.denials.length > 0;
    const text = `[Request interrupted by user${tools ? " for tool use" : ""}]`;
    const stopped = { subtype: "error_during_execution", reason: tools ? "aborted_tools" : "aborted_streaming" };
    const error = "[ede_diagnostic] result_type=user last_content_type=n/a";
    return [
      userLine(this.#session, [{ type: "text", text }]),
      stoppedLine(this.#session, this.#tally, { ...facts, ...stopped, error }),
    ];
  }

  asks(step: played.PermissionStep): played.PlayedRequest | null {
    if (!this.#session.call.asks) return null;
    const call = this.#turn.call(step.tool, step.input);
    const id = this.#remember(call.id);
    return { id, said: [call.line, ask.permissionRequest(id, call.id, step)] };
  }

  permits(step: played.PermissionStep, id: string | null): played.Said {
    const asked = this.#requests.get(id ?? "");
    if (asked !== undefined) return [toolResultLine(this.#session, asTool(step), { id: asked, decision: BY_USER })];
    return this.tool(asTool(step));
  }

  denies(step: played.PermissionStep, id: string | null, answer: played.PlayedAnswer | null): played.Said {
    const asked = this.#requests.get(id ?? "");
    const call = asked === undefined ? this.#turn.call(step.tool, step.input) : { id: asked, line: undefined };
    this.#turn.deny({ tool_name: step.tool, tool_use_id: call.id, tool_input: step.input });
    const said =
      answer === null
        ? ask.deniedLines(this.#session, call.id, step)
        : ask.refusedLines(this.#session, call.id, answer);
    return call.line === undefined ? said : [call.line, ...said];
  }

  asksQuestion(step: played.QuestionStep): played.PlayedRequest | null {
    if (!this.#session.call.asks) return null;
    const call = this.#turn.call("AskUserQuestion", ask.questionInput(step));
    const id = this.#remember(call.id);
    return { id, said: [call.line, ask.questionRequest(id, call.id, step)] };
  }

  answered(step: played.QuestionStep, id: string, answer: played.PlayedAnswer): played.Said {
    const callId = this.#requests.get(id) ?? "";
    if (!answer.allowed) return ask.refusedLines(this.#session, callId, answer);
    return [ask.answerLine(this.#session, callId, step, answer)];
  }

  unasked(step: played.QuestionStep): played.Said {
    const { id, line } = this.#turn.call("AskUserQuestion", ask.questionInput(step));
    return [line, ask.unaskedLine(this.#session, id)];
  }

  lastText(): string {
    return this.#turn.lastText;
  }

  #says(text: string): played.Said {
    const message = this.#turn.message();
    this.#turn.lastText = text;
    const line = assistantLine(this.#session, message, { type: "text", text });
    if (!this.#session.call.partialMessages) return [line];
    const { before, after } = partialLines(this.#session, message, text);
    return [...before, line, ...after];
  }

  /**
   * Whether a sub-agent's messages are shown: with `--forward-subagent-text`, and always for a background sub-agent.
   */
  #shows({ step }: played.SubAgent): boolean {
    return step.background || this.#session.call.forwardsSubAgents;
  }

  #block(block: JsonObject, agent: played.SubAgent): JsonObject {
    return assistantLine(this.#session, this.#turn.message(agent), block, { agent });
  }

  #remember(callId: string): string {
    const id = this.#session.stage.uuid();
    this.#requests.set(id, callId);
    return id;
  }
}
