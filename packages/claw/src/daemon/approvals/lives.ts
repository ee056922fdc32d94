import { isPhase, isTerminalPhase } from "@claw/contract";
import type { CommittedEvent } from "../../bus/index.ts";
import { fieldsOf, textOf } from "../../bus/index.ts";

/** One life of a worker, from a start to its end. */
export interface Life {
  readonly bootId: string;
  readonly hasBooted: boolean;
  readonly hasEnded: boolean;
}

/** The life of a worker whose start is not in the log. */
export const FIRST_LIFE: Life = { bootId: "boot_1", hasBooted: false, hasEnded: false };

const isEnd = (action: string, fields: Readonly<Record<string, unknown>>): boolean =>
  action === "complete" ||
  (action === "event" && fields["severity"] === "fatal") ||
  (action === "phase" && isPhase(fields["phase"]) && isTerminalPhase(fields["phase"]));

/** Whether an event of the worker says that the worker's life ends. */
export const endsLife = (topic: string, data: unknown): boolean =>
  topic.startsWith("worker.") && isEnd(topic.slice(topic.lastIndexOf(".") + 1), fieldsOf(data));

/** The life after an event; the same object when the life goes on. */
export function nextLife(life: Life, { topic, payload, sequence }: CommittedEvent): Life {
  const fields = fieldsOf(payload);
  if (topic === "system.worker.spawned") {
    return { bootId: textOf(fields["bootId"]) ?? `boot_${sequence}`, hasBooted: false, hasEnded: false };
  }
  if (topic === "system.worker.terminated") return life.hasEnded ? life : { ...life, hasEnded: true };
  const action = topic.slice(topic.lastIndexOf(".") + 1);
  if (action === "boot") {
    // Older workers boot again under the same peer id, without a start by this daemon.
    return life.hasBooted
      ? { bootId: `boot_${sequence}`, hasBooted: true, hasEnded: false }
      : { ...life, hasBooted: true };
  }
  return isEnd(action, fields) && !life.hasEnded ? { ...life, hasEnded: true } : life;
}
