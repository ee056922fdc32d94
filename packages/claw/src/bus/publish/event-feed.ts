import { deliver } from "../delivery/deliver.ts";
import type { Outlet } from "../delivery/deliver.ts";
import { IGNORED } from "../leases/fence.ts";
import type { Feed, StoredEvent } from "../log/index.ts";
import { isStoredLogEntry } from "./log-entry.ts";
import type { Server } from "../server.ts";

/** What a committed event changes: the state, and what subscribers have got. */
export interface FeedTarget extends Outlet {
  /** Takes in the id of an event of another machine, by which its repetition is recognised here. */
  readonly recall?: (event: StoredEvent) => void;
  /** Whether the publisher of an event that another machine stored gets it too. */
  readonly wantsEcho?: (event: StoredEvent) => boolean;
}

/** An error in the consequences of one event must not stop the next event. */
export function reportAfterStoring({ report }: Pick<Server, "report">, topic: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : typeof error;
  report(`${topic} was stored, then failed: ${text}`);
}

/** Whether the event counts. */
function applyEvent({ projections, report }: FeedTarget, event: StoredEvent, isLogEntry: boolean): boolean {
  try {
    if (!projections.isDue(event)) return true;
    return isLogEntry ? projections.applyLogEntry(event, true) : projections.apply(event, true);
  } catch (error) {
    reportAfterStoring({ report }, event.topic, error);
    return true;
  }
}

/**
 * Takes committed events into the state, and then to subscribers. The events of other writers change the same. Never
 * throws.
 */
export const createEventFeed =
  (target: FeedTarget): Feed =>
  (event, own) => {
    const isLogEntry = own === undefined ? isStoredLogEntry(event) : own.isLogEntry;
    if (!applyEvent(target, event, isLogEntry)) return IGNORED;
    if (own === undefined) target.recall?.(event);
    try {
      return deliver(target, event, own === undefined ? target.wantsEcho?.(event) === true : own.echo);
    } catch (error) {
      reportAfterStoring(target, event.topic, error);
      return 0;
    }
  };
