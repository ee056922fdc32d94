import { useMemo, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import type { EventRow } from "../../store/event-row.ts";
import { EventDetail } from "./event-detail.tsx";
import { EventLine } from "./event-line.tsx";

interface EventListProps {
  readonly rows: readonly EventRow[];
  readonly follows: boolean;
  /** Cursor of an event to open and to bring into view. */
  readonly shown: string | null;
}

const LINE_HEIGHT = 26;
const keyOf = ({ cursor }: EventRow): string => cursor;

/** Events, one a line; a line opens to the whole event. */
export function EventList({ rows, follows, shown }: EventListProps) {
  const { store } = usePage();
  const [open, setOpen] = useState<string | null>(shown);
  const workers = store.moment.value?.workers;
  const names = useMemo(() => new Map((workers ?? []).map(({ peer_id: id, name }) => [id, name])), [workers]);
  const at = shown === null ? -1 : rows.findIndex(({ cursor }) => cursor === shown);
  return (
    <VirtualList
      items={rows}
      keyOf={keyOf}
      estimate={LINE_HEIGHT}
      label="Events"
      follows={follows && open === null}
      focusAt={at === -1 ? null : at}
      render={(row) => (
        <>
          <EventLine
            row={row}
            name={row.worker === null ? null : (names.get(row.worker) ?? row.worker)}
            isOpen={row.cursor === open}
            open={() => setOpen(row.cursor === open ? null : row.cursor)}
          />
          {row.cursor === open && <EventDetail row={row} />}
        </>
      )}
    />
  );
}
