import { numberOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { EventContent } from "./event-fields.ts";
import { aside, colon, insideOf, lineOf, spentText } from "./event-fields.ts";

const KINDS: Readonly<Record<string, string>> = {
  BLOCKED: "is blocked",
  REQUEST: "asks",
  HARVEST: "hands over",
  ERROR: "meets an error",
  DECISION: "decided",
  PROGRESS: "gets on",
  LOG: "says",
};

function checkpointText(data: JsonObject): string {
  const { kind, severity, message } = data;
  const what = kind === "ERROR" && severity === "fatal" ? "fails" : (KINDS[lineOf(kind)] ?? "says");
  const share = numberOf(insideOf(data, "percent"));
  const options = insideOf(data, "options");
  const choices = (Array.isArray(options) ? options : []).map((each: unknown) =>
    lineOf((each as JsonObject | null)?.["id"]),
  );
  return `${what}${colon(message)}${aside(share === undefined ? "" : `${Math.round(share * 100)} %`, choices.join(" / "))}`;
}

const SIGNAL_TEXTS: Readonly<Record<string, string>> = {
  turn_started: "begins a turn",
  activity: "is at it",
  tool_started: "runs",
  tool_ended: "has run",
  turn_ended: "ends its turn",
  needs_input: "needs input",
  unclear: "shows neither work nor a prompt",
  rate_limited: "waits for a usage limit",
  paused: "is paused",
  resumed: "goes on",
  restarted: "was started again",
  exited: "its agent has ended",
};

function signalText({ signal, detail, until }: JsonObject): string {
  const what = SIGNAL_TEXTS[lineOf(signal)] ?? lineOf(signal);
  const isCall = signal === "tool_started" || signal === "tool_ended";
  const said = isCall ? ` ${lineOf(detail)}`.trimEnd() : colon(detail);
  return `${what}${said}${aside(lineOf(until) === "" ? "" : `until ${lineOf(until)}`)}`;
}

function heartbeatText(data: JsonObject): string {
  const { current_phase: phase, current_action: action, message } = data;
  return `is alive in ${lineOf(phase)}${colon(message ?? action)}${aside(spentText(data, "cost_usd", "tokens_used"))}`;
}

/** Describes the event `worker.<id>.<word>`; undefined for a word without a schema. */
export function workerText({ word, data }: EventContent): string | undefined {
  switch (word) {
    case "boot":
      return `is up${colon(data["mission_summary"])}${aside(lineOf(data["model"]))}`;
    case "phase":
      return `enters ${lineOf(data["phase"])}${colon(data["transition_reason"])}`;
    case "event":
      return checkpointText(data);
    case "heartbeat":
      return heartbeatText(data);
    case "complete": {
      const spent = spentText(data, "total_cost_usd", "total_tokens");
      return `reports ${lineOf(data["result"])}${colon(data["summary"])}${aside(spent)}`;
    }
    case "signal":
      return signalText(data);
    case "command":
      return `command ${lineOf(data["command_id"]).slice(0, 8)} is ${lineOf(data["step"])}${colon(data["reason"])}`;
    default:
      return undefined;
  }
}

/** Describes the command `cmd.<id>.<word>` as an action of the sender. */
export function workerCommandText({ word, data, from, nameOf }: EventContent): string {
  const by = `${nameOf(from)} `;
  switch (word) {
    case "approve":
      return `${by}approves what it asked for`;
    case "reject":
      return `${by}refuses what it asked for${colon(data["reason"])}`;
    case "abort":
      return `${by}tells it to stop${colon(data["reason"])}`;
    case "inject_text":
      return `${by}says${colon(data["text"])}`;
    case "set_phase":
      return `${by}sends it to ${lineOf(data["phase"])}${colon(data["reason"])}`;
    case "spawn":
      return `${by}asks it to start ${lineOf(data["name"])}${colon(data["mission"])}`;
    default:
      return `${by}sends ${word}${colon(data["reason"])}`;
  }
}
