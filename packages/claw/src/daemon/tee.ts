import { appendFile } from "node:fs/promises";
import type { EventLog } from "../bus/index.ts";
import { PRIVATE_FILE } from "../files/index.ts";

/** Copies committed events to one growing file, for tools that follow it. */
export interface Tee {
  /** Says that there is more to copy. */
  wake(): void;
  /** Resolves when everything committed so far is copied. */
  close(): Promise<void>;
}

export function createTee(log: EventLog, path: string, failed: (error: unknown) => void): Tee {
  let position = log.head();
  let running: Promise<void> | undefined;

  async function copy(): Promise<void> {
    while (position < log.head()) {
      const { events, through } = await log.read(position);
      const lines = events.map(({ topic, from, tsServer, payload, sequence }) => {
        const body = payload === undefined ? "" : `,"payload":${payload}`;
        const head = `{"topic":${JSON.stringify(topic)},"from":${JSON.stringify(from)},"ts_server":"${tsServer}"`;
        return `${head}${body},"sequence":${sequence}}\n`;
      });
      await appendFile(path, lines.join(""), { mode: PRIVATE_FILE });
      position = Math.max(through, position + 1);
    }
  }

  const wake = (): void => {
    running ??= copy()
      .catch(failed)
      .finally(() => {
        running = undefined;
      });
  };
  return {
    wake,
    close: async () => {
      wake();
      await running;
    },
  };
}
