import type { ToolInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { ToolPorts } from "../tool-host.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

/** Types a text into a terminal without Enter: for a key press, or a line that another call ends. */
async function typeOnly(id: string, text: string, ports: ToolPorts): Promise<void> {
  const bus = await ports.seat.join(ports.signal);
  try {
    await bus.request("send", { terminalId: id, text, newline: false });
  } finally {
    await bus.close();
  }
}

export const handleSend: ToolHandler<"claws_send"> = async ({ id, text, newline = true }, { ports }) => {
  if (!newline) {
    await typeOnly(id, text, ports);
    return { data: { id, step: "typed" } };
  }
  const { data } = await callVerb("send", { worker: id, text }, ports);
  return { data: { id: data.worker ?? id, step: data.step ?? "typed" } };
};

type Action = ToolInput<"claws_control">["action"];

const REASON = "stopped by its lead";

function give(
  action: Action,
  worker: string,
  reason: string | undefined,
  ports: ToolPorts,
): Promise<{ data: VerbOutput<"pause"> }> {
  if (action === "abort") return callVerb("abort", { worker, reason: reason ?? REASON }, ports);
  return action === "pause" ? callVerb("pause", { worker }, ports) : callVerb("resume", { worker }, ports);
}

export const handleControl: ToolHandler<"claws_control"> = async ({ worker, action, reason }, { ports }) => {
  const { data } = await give(action, worker, reason, ports);
  return { data: { worker: data.worker ?? worker, action, step: data.step ?? "queued" } };
};

export const handleReview: ToolHandler<"claws_review"> = async (input, { ports }) => {
  const { worker, decision, message, merge, force } = input;
  if (decision === "accept") {
    const { data } = await callVerb("accept", { worker, note: message, merge, yes: force }, ports);
    const { peer_id, effect, summary, objections, merged, work } = data;
    return { data: { worker: peer_id, decision, effect, summary, objections, merged, unmerged: work } };
  }
  if (message === undefined) {
    throw new ClawError("MISSING_ARGUMENT", "rework needs a message", {
      operation: "review",
      target: "message",
      hint: "Say in message what the worker is to change.",
    });
  }
  const { data } = await callVerb("rework", { worker, reason: message }, ports);
  return { data: { worker: data.peer_id, decision, effect: data.effect } };
};
