import type { JsonObject } from "../json.ts";
import { stringOrNull } from "../json.ts";

/** Kinds of notices: a worker waits for a person, has failed, or is done. */
export const NOTICE_KINDS = ["needs_you", "failed", "done"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The ways in which notices are delivered. */
export const NOTICE_CHANNELS = ["command", "webhook"] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** Something that a person away from the screen wants to know. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly peerId: string;
  /** Content, which is left out unless the settings ask for it. */
  readonly text: string;
}

/** An event of the server, as the log keeps it. */
interface NoticeSource {
  readonly topic: string;
  readonly from: string;
  readonly data: JsonObject;
}

const STATE_KINDS: Readonly<Record<string, NoticeKind>> = {
  needs_input: "needs_you",
  blocked: "needs_you",
  unknown: "needs_you",
  failed: "failed",
  gone: "failed",
  finished: "done",
};

/** The kind of notice for a change of a worker's state. The same state with another reason is no change. */
function kindOfState({ state, previous }: JsonObject): NoticeKind | undefined {
  const known = stringOrNull(state) ?? "";
  if (state === previous || !Object.hasOwn(STATE_KINDS, known)) return undefined;
  return STATE_KINDS[known];
}

function kindOf(topic: string, data: JsonObject): NoticeKind | undefined {
  switch (topic) {
    case "system.approval.opened":
      return "needs_you";
    case "system.worker.state":
      return kindOfState(data);
    case "system.worker.verified":
      return data["passed"] === false ? "failed" : undefined;
    case "system.worker.alert":
      return data["action"] === "alert" ? "needs_you" : undefined;
    default:
      return undefined;
  }
}

/** The notice that an event gives reason for; undefined for most events. */
export function noticeOf({ topic, from, data }: NoticeSource): Notice | undefined {
  const peerId = stringOrNull(data["peerId"]);
  const kind = from === "server" && peerId !== null ? kindOf(topic, data) : undefined;
  if (kind === undefined || peerId === null) return undefined;
  return { kind, peerId, text: stringOrNull(data["message"]) ?? stringOrNull(data["reason"]) ?? "" };
}
