import { objectOf } from "claw-contract";
import type { EventItem } from "claw-client";
import type { JsonObject } from "claw-contract";

/** A line about an event, for people. */
export interface DemoLine {
  readonly worker: string | null;
  readonly text: string;
  readonly tone: "plain" | "good" | "bad" | "asks";
}

const say = (text: string, tone: DemoLine["tone"] = "plain") => ({ text, tone });
const clock = (iso: unknown): string => (typeof iso === "string" ? iso.slice(11, 19) : "later");

type Tell = (data: JsonObject) => ReturnType<typeof say> | undefined;

/** States that are no good news, as a sentence about the worker begins. */
const TROUBLE: Readonly<Record<string, string>> = {
  failed: "failed",
  aborted: "was stopped",
  gone: "is gone",
  stale: "is silent",
  hung: "makes no progress",
};

function tellState({ state, previous, reason, until }: JsonObject): ReturnType<typeof say> | undefined {
  if (state === "rate_limited") return say(`is parked until ${clock(until)} UTC: ${String(reason)}`, "bad");
  const trouble = TROUBLE[String(state)];
  if (trouble !== undefined) return say(`${trouble}: ${String(reason)}`, "bad");
  if (state === "working" && (previous === "rate_limited" || previous === "needs_input")) return say("goes on");
  return undefined;
}

function tellVerified({ passed, checks }: JsonObject): ReturnType<typeof say> {
  const commands = (Array.isArray(checks) ? checks : []).map((check) => String(objectOf(check)["command"]));
  const what = commands.join(", ");
  return passed === true ? say(`verified: ${what} passes`, "good") : say(`not verified: ${what} fails`, "bad");
}

const TELL: Readonly<Record<string, Tell>> = {
  "system.worker.spawned": ({ attempt, worktree, reason }) =>
    attempt === 1
      ? say(`starts on branch ${String(objectOf(worktree)["branch"])}`)
      : say(`is started again: ${String(reason)}`, "good"),
  "system.worker.state": tellState,
  "system.worker.terminated": ({ expected, signal }) =>
    expected === true ? undefined : say(`lost its process: ${String(signal ?? "it ended")}`, "bad"),
  "system.worker.completed": ({ summary }) => say(`reports: ${String(summary)}`),
  "system.worker.verified": tellVerified,
  "system.approval.opened": ({ message }) => say(`asks: ${String(message)}`, "asks"),
  "system.approval.answered": ({ decision }) =>
    say(decision === "approve" ? "got permission" : "was refused permission", "good"),
  "system.approval.expired": ({ reason }) =>
    reason === "deadline" ? say("was refused permission: the time for an answer is over", "bad") : undefined,
  "system.command.applied": ({ cmdTopic, evidence }) => {
    const action = String(cmdTopic).split(".").at(-1) ?? "";
    const { kind, value } = objectOf(evidence);
    return say(`obeyed ${action} (receipt: ${String(kind)} ${String(value)})`);
  },
};

/** Describes an event for a person who watches; undefined for events that only programs need. Pure. */
export function narrate({ topic, data }: Pick<EventItem, "topic" | "data">, nameOf: (peerId: string) => string) {
  const fields = objectOf(data);
  const line = TELL[topic]?.(fields);
  const peerId = fields["peerId"] ?? fields["targetPeerId"];
  return line === undefined
    ? undefined
    : ({ worker: typeof peerId === "string" ? nameOf(peerId) : null, ...line } satisfies DemoLine);
}
