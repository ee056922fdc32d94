import type { EventRow } from "../../store/event-row.ts";
import { inertLine } from "../../text/inert.ts";
import { timeText } from "../../text/amounts.ts";

interface EventLineProps {
  readonly row: EventRow;
  readonly name: string | null;
  readonly isOpen: boolean;
  readonly open: () => void;
}

/** The row of an event in the list. */
export function EventLine({ row, name, isOpen, open }: EventLineProps) {
  return (
    <button type="button" class={`event event-${row.tone}`} data-row aria-expanded={isOpen} onClick={open}>
      <span class="event-time">{timeText(row.at, true)}</span>
      <span class="event-worker">{inertLine(name ?? "–", 40)}</span>
      <span class="event-kind">{inertLine(row.kind, 24)}</span>
      <span class="event-text">{row.text}</span>
      <span class="event-topic faint">{row.topic}</span>
    </button>
  );
}
