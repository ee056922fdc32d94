import { useEffect, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";

/** The time of the oldest moment that the daemon can show; null until the daemon has said it. */
export function useLogStart(): number | null {
  const { store } = usePage();
  const oldest = store.moment.value?.oldest;
  const [start, setStart] = useState<number | null>(null);
  useEffect(() => {
    const client = store.client();
    if (oldest === undefined || client === null) return undefined;
    const state = { isGone: false };
    const ask = async (): Promise<void> => {
      const { moment } = await client.request("moment.show", { at: oldest, endedWithinMs: 0 });
      if (!state.isGone && moment !== null) setStart(Date.parse(moment.ts));
    };
    // Without an answer the timeline begins with the first event that the page has read.
    ask().catch(() => undefined);
    return () => void (state.isGone = true);
  }, [oldest, store]);
  return start;
}
