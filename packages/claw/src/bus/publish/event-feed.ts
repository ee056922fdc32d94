import { deliver } from "../delivery/deliver.ts";
import type { Outlet } from "../delivery/deliver.ts";
import type { Feed, StoredEvent } from "../log/index.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";

/** What a committed event changes: the state, and what subscribers have got. */
export interface FeedTarget extends Outlet, Pick<Knowledge, "projections">, Pick<Server, "report"> {}

/** An error in the consequences of one event must not stop the next event. */
export function reportAfterStoring({ report }: Pick<Server, "report">, topic: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : typeof error;
  report(`${topic} was stored, then failed: ${text}`);
}

function applyEvent(target: FeedTarget, event: StoredEvent, isLogEntry: boolean): void {
  try {
    if (isLogEntry) target.projections.applyLogEntry(event);
    else target.projections.apply(event, true);
  } catch (error) {
    reportAfterStoring(target, event.topic, error);
  }
}

/**
 * Takes committed events into the state, and then to subscribers. The events of other writers change the same. Never
 * throws.
 */
export const createEventFeed =
  (target: FeedTarget): Feed =>
  (event, own) => {
    applyEvent(target, event, own?.isLogEntry === true);
    try {
      return deliver(target, event, own?.echo === true);
    } catch (error) {
      reportAfterStoring(target, event.topic, error);
      return 0;
    }
  };
