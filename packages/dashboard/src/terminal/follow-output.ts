import type { PageClient } from "../store/link.ts";

/** How often the output is read while a terminal is shown. */
const READ_MS = 250;
/** After so many readings without output the size is read too. */
const SIZED_TURNS = 4;
/** How long the page waits after a refusal. */
const REFUSED_MS = 2000;

export interface OutputTarget {
  readonly sized: (cols: number, rows: number) => void;
  readonly wrote: (text: string) => void;
  readonly failed: (why: string) => void;
}

/** Follows the output of a terminal from its kept part on. Returns the end of it. */
export function followOutput(client: () => PageClient | null, terminalId: string, target: OutputTarget): () => void {
  const state = { isOver: false, offset: undefined as number | undefined, turns: 0 };
  const size = async (connected: PageClient): Promise<void> => {
    const { cols, rows } = await connected.request("terminal.screen", { terminalId });
    target.sized(cols, rows);
  };
  const read = async (connected: PageClient): Promise<boolean> => {
    const from = state.offset === undefined ? {} : { offset: state.offset };
    const reply = await connected.request("readLog", { terminalId, strip: false, ...from });
    // Another client that attaches gives the terminal its own size, and the program then draws for that size.
    if (reply.bytes !== "" || state.turns % SIZED_TURNS === 0) await size(connected);
    state.turns += 1;
    if (!state.isOver && reply.bytes !== "") target.wrote(reply.bytes);
    state.offset = reply.nextOffset;
    return reply.truncated && reply.nextOffset < reply.totalSize;
  };
  const turn = async (): Promise<void> => {
    const connected = client();
    let wait = READ_MS;
    try {
      if (connected !== null) {
        if (await read(connected)) wait = 0;
      }
    } catch (error) {
      target.failed(error instanceof Error ? error.message : String(error));
      wait = REFUSED_MS;
    }
    if (!state.isOver) setTimeout(() => void turn(), wait);
  };
  void turn();
  return () => {
    state.isOver = true;
  };
}
