import { useEffect, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { messageOf } from "../../text/message-of.ts";
import type { TranscriptPages } from "../../transcript/transcript-pages.ts";
import { firstPage, withNewer, withOlder } from "../../transcript/transcript-pages.ts";

/** How often a running worker's transcript is looked at. */
const LOOK_MS = 700;

export interface ReadTranscript {
  readonly pages: TranscriptPages | null;
  /** The worker has no transcript: it works in a terminal, or another program started it. */
  readonly hasNone: boolean;
  readonly problem: string;
  readonly older: () => Promise<void>;
}

/** The newest part of a worker's transcript, and more of it as it comes. */
export function useTranscript(worker: string, isOver: boolean): ReadTranscript {
  const { store } = usePage();
  const [pages, setPages] = useState<TranscriptPages | null>(null);
  const [hasNone, setNone] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const state = { isGone: false, known: null as TranscriptPages | null };
    const look = async (): Promise<void> => {
      const client = store.client();
      let wait = LOOK_MS;
      try {
        if (client !== null && document.visibilityState === "visible") {
          const from = state.known === null ? {} : { after: state.known.next };
          const part = await client.request("worker.transcript", { worker, ...from });
          if (state.isGone) return;
          if (state.known === null || part.items.length > 0) {
            state.known = state.known === null ? firstPage(part) : withNewer(state.known, part);
            setPages(state.known);
          }
          setNone(part.source === "none");
          setProblem("");
          if (part.hasNewer && state.known !== null) wait = 0;
          else if (isOver) return;
        }
      } catch (error) {
        if (!state.isGone) setProblem(messageOf(error));
        wait = LOOK_MS * 4;
      }
      if (!state.isGone) setTimeout(() => void look(), wait);
    };
    void look();
    return () => {
      state.isGone = true;
    };
  }, [worker, isOver, store]);
  const older = async (): Promise<void> => {
    const client = store.client();
    if (client === null || pages === null) return;
    const part = await client.request("worker.transcript", { worker, before: pages.first });
    setPages((known) => (known === null ? known : withOlder(known, part)));
  };
  return { pages, hasNone, problem, older };
}
