import { setTimeout as delay } from "node:timers/promises";
import type { Terminal } from "claw-contract";
import { identifySelf, isRunning } from "../../process/index.ts";
import { readAbout, storedTerminals, writeAbout } from "../storage/about-terminal.ts";
import { endPrograms } from "./end-programs.ts";
import { findHost } from "../storage/host-record.ts";

/** How long a killed host may take to disappear, and how often claw checks. */
const GONE_MS = 2000;
const POLL_MS = 20;

async function isHostGone(folder: string): Promise<boolean> {
  for (const deadline = performance.now() + GONE_MS; findHost(folder) !== undefined;) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Only a reliably identified process is ended, because the system reuses pids. */
const isKnown = ({ program }: Terminal): boolean =>
  program !== null && program.started !== null && program.host === identifySelf().host && isRunning(program);

async function endLost(folder: string, about: Terminal): Promise<void> {
  if (isKnown(about)) await endPrograms(about);
  const end = { at: new Date().toISOString(), origin: "error", exitCode: null, signal: null } as const;
  // A terminal closed meanwhile is no longer stored, or already has its end stored.
  if (readAbout(folder, about.id)?.end === null) writeAbout(folder, { ...about, end });
}

/**
 * Ends the programs in the terminals of a killed host. A program that survives the loss of its terminal would otherwise
 * run on unseen. Does nothing when a host still runs. Never rejects.
 */
export async function endLostTerminals(folder: string, report: (problem: string) => void): Promise<void> {
  const lost = storedTerminals(folder).flatMap((id) => {
    const about = readAbout(folder, id);
    return about?.end === null ? [about] : [];
  });
  if (lost.length === 0 || !(await isHostGone(folder))) return;
  const ends = await Promise.allSettled(lost.map((about) => endLost(folder, about)));
  for (const end of ends) if (end.status === "rejected") report(`a terminal that was lost: ${String(end.reason)}`);
}
