import { useMemo } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { workerHash } from "../../app/route.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import type { TranscriptEntry } from "../../transcript/fold-transcript.ts";
import { foldTranscript } from "../../transcript/fold-transcript.ts";
import { Entry } from "./transcript-entry.tsx";
import { useTranscript } from "./use-transcript.ts";

const ENTRY_HEIGHT = 34;
const keyOf = ({ item }: TranscriptEntry): number => item.position;

const NothingSaid = () => (
  <Notice title="The agent has said nothing yet">What it says and does comes here by itself.</Notice>
);

/** What the agent said and did: messages, tools folded, sub-agents below the tool that started them. */
export function TranscriptTab({ worker }: { readonly worker: WorkerView }) {
  const { pages, hasNone, problem, older } = useTranscript(worker.peer_id, worker.ended);
  const entries = useMemo(() => foldTranscript(pages?.items ?? []), [pages?.items]);
  if (hasNone) {
    return (
      <Notice title="No transcript">
        <p>
          The agent works in a terminal, or another program started it. See its{" "}
          {worker.terminal_id === null ? (
            <a href={workerHash(worker.peer_id, "events")}>events</a>
          ) : (
            <a href={workerHash(worker.peer_id, "terminal")}>terminal</a>
          )}
          .
        </p>
      </Notice>
    );
  }
  if (pages === null) {
    return (
      <Notice title={problem === "" ? "Reading the transcript…" : "The transcript cannot be read"}>{problem}</Notice>
    );
  }
  if (entries.length === 0) return <NothingSaid />;
  return (
    <div class="view">
      {pages.hasOlder && (
        <p class="toolbar">
          <BusyButton run={older} done="Older items are shown">
            Older
          </BusyButton>
        </p>
      )}
      <VirtualList
        items={entries}
        keyOf={keyOf}
        estimate={ENTRY_HEIGHT}
        label="Transcript"
        follows={!worker.ended}
        render={(entry) => <Entry entry={entry} />}
      />
    </div>
  );
}
