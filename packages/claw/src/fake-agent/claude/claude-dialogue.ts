import type { JsonObject } from "claw-contract";
import { objectOf, textOf } from "claw-contract";
import { readObjects } from "../input-lines.ts";
import { Mailbox } from "../mailbox.ts";
import type { Output } from "../output.ts";
import type { PlayedAnswer } from "../voice.ts";
import { CLAUDE_VERSION } from "./claude-call.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { AGENTS, CLAUDE_CAPABILITIES } from "./init-line.ts";

const described = (name: string): JsonObject => ({ name, description: `The ${name} of the real one.` });

const MODEL_FEATURES = {
  supportsEffort: true,
  supportedEffortLevels: ["low", "medium", "high"],
  supportsAdaptiveThinking: true,
  supportsFastMode: true,
  supportsAutoMode: true,
  supportsThinkingOff: false,
};

/** The answer to `initialize`. */
function handshake({ model, cwd, apiKeySource, call }: ClaudeSession): JsonObject {
  return {
    commands: [{ ...described("code-review"), argumentHint: "", builtin: true }],
    agents: AGENTS.map(described),
    output_style: "default",
    available_output_styles: ["default"],
    user_output_styles_dir: cwd,
    models: [
      { value: "default", resolvedModel: model, displayName: "Default", description: "The fake", ...MODEL_FEATURES },
    ],
    account: { tokenSource: "none", apiKeySource, apiProvider: "firstParty" },
    pid: 1,
    claude_code_version: CLAUDE_VERSION,
    current_permission_mode: call.permissionMode,
    hooks_applied: true,
    hook_on_failure_supported: true,
    other_hook_ask_outranks_host: true,
    feedback_mode: { kind: "disabled" },
    analytics_disabled: true,
    remote_control_auto_enable: false,
    remote_control_auto_connect_default: false,
    remote_control_available: false,
    remote_control_auto_on_by_default: false,
    ide_rc_auto_enable_gate: false,
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    session_state: "idle",
    capabilities: CLAUDE_CAPABILITIES,
  };
}

const controlResponse = (requestId: unknown, response: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "control_response",
  response: { subtype: "success", request_id: requestId, response, ...more },
});

/** More members of the first answer: no earlier request is open. */
const NOTHING_PENDING = { pending_permission_requests: [], pending_user_dialog_requests: [] };

/** The text of a prompt, however it was put. */
function promptOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as JsonObject[]) : [];
  return parts.map((part) => textOf(part["text"])).join("\n");
}

/** The text is the first answer that came with the permission to ask the question. */
function answerOf(body: JsonObject): PlayedAnswer {
  const answers = Object.values(objectOf(objectOf(body["updatedInput"])["answers"]));
  const allowed = body["behavior"] === "allow";
  const [first] = answers;
  const chosen = typeof first === "string" ? first : "";
  const text = allowed ? chosen : textOf(body["message"]);
  return { allowed, interrupt: body["interrupt"] === true, text };
}

/** Two-way `stream-json` on stdin. */
export class ClaudeDialogue {
  readonly #session: ClaudeSession;
  readonly #output: Output;
  /** Input from stdin, for the player of the scenario. */
  readonly mail = new Mailbox();

  constructor(session: ClaudeSession, output: Output) {
    this.#session = session;
    this.#output = output;
  }

  /**
   * Reads until stdin is closed. Resolves with true when all lines were JSON; stops with false at the first other line.
   */
  async listen(): Promise<boolean> {
    for await (const line of readObjects(this.#session.stage.input)) {
      if (line === undefined) return false;
      await this.#take(line);
    }
    this.mail.close();
    return true;
  }

  async #take(line: JsonObject): Promise<void> {
    if (line["type"] === "user") this.mail.addPrompt(promptOf(objectOf(line["message"])));
    if (line["type"] === "control_request") await this.#control(line["request_id"], objectOf(line["request"]));
    if (line["type"] === "control_response") {
      const response = objectOf(line["response"]);
      this.mail.addAnswer(textOf(response["request_id"]), answerOf(objectOf(response["response"])));
    }
  }

  async #control(id: unknown, { subtype }: JsonObject): Promise<void> {
    if (subtype === "initialize") {
      return this.#output.say([controlResponse(id, handshake(this.#session), NOTHING_PENDING)]);
    }
    const interrupts = subtype === "interrupt";
    await this.#output.say([controlResponse(id, interrupts ? { still_queued: [] } : {})]);
    if (interrupts) this.mail.interrupt();
  }
}
