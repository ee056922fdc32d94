import type { EventItem, GapItem } from "claw-client";
import { cutChars, objectOf, oneLine, textOf } from "claw-contract";
import { describeEvent } from "../../bus/event-text/describe-event.ts";
import { createPeerNames } from "../../bus/event-text/peer-names.ts";
import { printableLine } from "../../text/text-width.ts";

/** Lines and characters of the news in one answer. The rest follows with the next. */
const MAX_LINES = 40;
const MAX_CHARS = 6000;
const LINE_CHARS = 400;

/** Events that are news to a caller who waits. A state is news when it is another than before. */
const NEWS: ReadonlySet<string> = new Set([
  "system.worker.spawned",
  "system.worker.state",
  "system.worker.completed",
  "system.worker.verified",
  "system.worker.accepted",
  "system.worker.rework",
  "system.worker.alert",
  "system.worker.removed",
  "system.approval.opened",
  "system.approval.answered",
  "system.approval.expired",
]);

/** What happened to workers since a place in the log, each event told once. */
export interface OutcomeNews {
  /**
   * Takes in an item of the log. False when there is no room: the item then belongs to the next answer, and so does
   * every later item.
   */
  take(item: EventItem | GapItem, isMeant: (peerId: string) => boolean): boolean;
  /** Notes that every event up to a cursor was taken in. */
  passed(cursor: string): void;
  learnName(peerId: string, name: string): void;
  /** Every event up to here was told or is no news. Undefined before the start is known. */
  cursor(): string | undefined;
  readonly lines: readonly string[];
  /** Whether the lines tell of a question that waits for an answer. */
  hasQuestion(): boolean;
}

function isNews({ topic, data }: EventItem): boolean {
  if (!NEWS.has(topic)) return false;
  const { state, previous } = objectOf(data);
  return topic !== "system.worker.state" || state !== previous;
}

/** The questions that the news tell of and that wait for an answer. */
function createQuestions() {
  const [approvals, waiting] = [new Set<unknown>(), new Set<unknown>()];
  return {
    isEmpty: (): boolean => approvals.size === 0 && waiting.size === 0,
    take: ({ topic, data }: EventItem): void => {
      const { peerId, approvalId, state } = objectOf(data);
      if (topic === "system.approval.opened") approvals.add(approvalId);
      // Shortly after its answer, a worker reports the state `working`.
      if (topic === "system.approval.answered" || topic === "system.approval.expired") {
        approvals.delete(approvalId);
        waiting.delete(peerId);
      }
      if (topic !== "system.worker.state") return;
      if (state === "needs_input") waiting.add(peerId);
      else waiting.delete(peerId);
    },
  };
}

export function createOutcomeNews(start: string | undefined): OutcomeNews {
  const names = createPeerNames();
  const lines: string[] = [];
  const questions = createQuestions();
  let [place, chars, through] = [start, 0, 0];
  const add = (text: string, cursor: string): boolean => {
    const line = cutChars(printableLine(oneLine(text)), LINE_CHARS);
    if (lines.length >= MAX_LINES || chars + line.length > MAX_CHARS) return false;
    lines.push(line);
    chars += line.length;
    place = cursor;
    return true;
  };
  return {
    lines,
    cursor: () => place,
    hasQuestion: () => !questions.isEmpty(),
    learnName: (peerId, name) => names.add(peerId, name),
    passed: (cursor) => {
      place = cursor;
    },
    take: (item, isMeant) => {
      if (item.kind === "gap") {
        // Behind a gap, another log may begin.
        through = 0;
        return add(`events from ${item.from} to ${item.to} are no longer kept`, item.to);
      }
      // Two subscriptions read the end of the log.
      if (item.sequence <= through) return true;
      names.learn(item);
      if (!isNews(item) || !isMeant(textOf(objectOf(item.data)["peerId"]))) {
        [place, through] = [item.cursor, item.sequence];
        return true;
      }
      const { who, text } = describeEvent(item, (peerId) => names.of(peerId));
      if (!add(`#${item.sequence} ${who} ${text}`, item.cursor)) return false;
      through = item.sequence;
      questions.take(item);
      return true;
    },
  };
}
