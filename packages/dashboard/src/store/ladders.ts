import type { EventItem } from "claw-client";
import { objectOf, stringOrNull } from "claw-contract/client";

/** Steps of a command in their order. The last two are where a command may end instead. */
export const LADDER_STEPS = ["accepted", "queued", "injected", "submitted", "acked", "applied"] as const;
const BAD_ENDS: ReadonlySet<string> = new Set(["expired", "refused"]);

/** How far one command has come, as the daemon published it. */
export interface ShownLadder {
  readonly commandId: string;
  readonly target: string;
  readonly action: string;
  readonly sequence: number | null;
  readonly steps: readonly string[];
  readonly route: string | null;
  /** Why the command was refused or expired. */
  readonly reason: string | null;
  /** Approval that the command answers. */
  readonly approvalId: string | null;
}

export type Ladders = ReadonlyMap<string, ShownLadder>;

/** Ladders that the page keeps; the oldest is dropped first. */
export const LADDERS_KEPT = 500;

const put = (ladders: Ladders, ladder: ShownLadder): Ladders => {
  const entries = [...ladders].filter(([id]) => id !== ladder.commandId);
  return new Map([...entries, [ladder.commandId, ladder] as const].slice(-LADDERS_KEPT));
};

const blank = (commandId: string, target: string, action: string): ShownLadder => ({
  commandId,
  target,
  action,
  sequence: null,
  steps: [],
  route: null,
  reason: null,
  approvalId: null,
});

const numberIn = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The command itself: its approval and its place in the log are known from here on. */
function takeCommand(ladders: Ladders, { topic, envelope, data, sequence }: EventItem): Ladders {
  const [, target = "", action = ""] = topic.split(".");
  if (envelope === null || target === "role") return ladders;
  const known = ladders.get(envelope.id) ?? blank(envelope.id, target, action);
  return put(ladders, { ...known, sequence, approvalId: stringOrNull(objectOf(data)["approval_id"]) });
}

/** The ladders after one more event. The same map when the event is about no command. Pure. */
export function takeLadder(ladders: Ladders, item: EventItem): Ladders {
  if (item.topic.startsWith("cmd.")) return takeCommand(ladders, item);
  const step = item.topic.startsWith("system.command.") ? item.topic.slice("system.command.".length) : "";
  const isStep = LADDER_STEPS.some((each) => each === step) || BAD_ENDS.has(step);
  const data = objectOf(item.data);
  const commandId = stringOrNull(data["commandId"]);
  if (!isStep || item.from !== "server" || commandId === null) return ladders;
  const action = (stringOrNull(data["cmdTopic"]) ?? "").split(".").at(-1) ?? "";
  const known = ladders.get(commandId) ?? blank(commandId, stringOrNull(data["targetPeerId"]) ?? "", action);
  if (known.steps.includes(step)) return ladders;
  return put(ladders, {
    ...known,
    sequence: numberIn(data["sequence"]) ?? known.sequence,
    steps: [...known.steps, step],
    route: stringOrNull(data["route"]) ?? known.route,
    reason: stringOrNull(data["reason"]) ?? known.reason,
  });
}

export const isBadEnd = (step: string): boolean => BAD_ENDS.has(step);
