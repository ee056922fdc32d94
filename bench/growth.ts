import { EFFORT } from "./effort.ts";
import { connected } from "./growth/connected.ts";
import { storedEvents } from "./growth/stored-events.ts";
import { storedSessions } from "./growth/stored-sessions.ts";
import type { Progress, Row } from "./suite.ts";
import { requireDisk, withTempFolder } from "./temp-folder.ts";

const DISK_BYTES = EFFORT === "smoke" ? 1e8 : 8e9;

/** How cost grows as work grows: against events, peers, workers and sessions. */
export async function growth(progress: Progress): Promise<Row[]> {
  const rows: Row[] = [];
  for (const measure of [storedEvents, connected, storedSessions]) {
    rows.push(
      ...(await withTempFolder((folder) => {
        requireDisk(folder, DISK_BYTES);
        return measure(folder, progress);
      })),
    );
  }
  return rows;
}
