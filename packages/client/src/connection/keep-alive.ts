import { CLIENT_LIMITS } from "claw-contract";
import type { Link } from "./link.ts";
import type { Timer } from "../timer.ts";

/**
 * Asks a silent connection for a sign of life and gives it up when none comes, because a machine that went away does
 * not say so. What it returns stops it.
 */
export function keepAlive(link: Link, timer: Timer): () => void {
  let cancel: () => void;
  let seen = -1;
  let asked = false;
  const check = (): void => {
    const received = link.received();
    const silent = received === seen;
    seen = received;
    if (silent && asked) return link.close();
    asked = silent;
    if (silent) link.call('"cmd":"ping"', () => undefined);
    cancel = timer.after(CLIENT_LIMITS.silenceMs, check);
    return undefined;
  };
  cancel = timer.after(CLIENT_LIMITS.silenceMs, check);
  return () => cancel();
}
