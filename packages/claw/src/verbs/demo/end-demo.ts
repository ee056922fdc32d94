import { findDaemon, stopDaemon } from "../../daemon/index.ts";
import { endMarked, joinSignals } from "../../process/index.ts";
import type { DemoPlace } from "./demo-place.ts";

const END_MS = 5000;

/** Takes everything away that a demonstration brought: its daemon, its workers and theirs, its folder. */
export async function endDemo(place: DemoPlace): Promise<void> {
  const { folder, mark } = place;
  const daemon = findDaemon(folder);
  // Whoever leaves early does not want to wait; what does not stop by itself is ended below.
  const limit = joinSignals({ timeoutMs: END_MS });
  if (daemon !== undefined) await stopDaemon(daemon, limit.signal).catch(() => undefined);
  limit.release();
  await endMarked(`${mark.name}=${mark.value}`, END_MS);
  place.remove();
}
