import type { Phase } from "claw-contract";
import { walkTo } from "../run/phase-walk.ts";
import type { LifeParts } from "../worker-life.ts";
import { tell } from "../worker-life.ts";

type Signal = Parameters<LifeParts["worker"]["signal"]>[0];

/** Publishes a worker's statements about an agent in a terminal. */
export interface SessionVoice {
  /**
   * Publishes a signal. Source `hook`: the agent reported it; `terminal`: the screen shows it; `self`: known from
   * before.
   */
  signal(name: Signal, detail?: string, source?: "hook" | "self" | "terminal"): void;
  walk(to: Phase, reason: string): void;
  /** Reports the agent's permission mode at once, when it has changed. */
  mode(permissionMode: string): void;
}

const DETAIL_CHARS = 500;

export function createSessionVoice(life: LifeParts): SessionVoice {
  const { worker, redactor, log } = life;
  let known: string | null = null;
  return {
    signal: (name, detail = "", source = "hook") => {
      const text = redactor.redactText(detail).slice(0, DETAIL_CHARS);
      tell(life, `signal ${name}`, worker.signal(name, { source, ...(text === "" ? {} : { detail: text }) }));
    },
    walk: (to, reason) => walkTo(worker, to, reason, (error) => log(`phase ${to} was refused: ${String(error)}`)),
    mode: (permissionMode) => {
      if (permissionMode === known) return;
      known = permissionMode;
      worker.report({ permission_mode: permissionMode.slice(0, DETAIL_CHARS) });
      if (worker.status() === "open") tell(life, "heartbeat", worker.beat());
    },
  };
}
