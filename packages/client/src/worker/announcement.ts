import type { JsonObject, Phase } from "claw-contract";
import type { Publication } from "../publishing/publishing.ts";
import { phasePath } from "./phase-track.ts";

type Compose = (name: string, data: JsonObject) => Publication;

/**
 * Facts about a worker that the bus has confirmed. The worker announces them again to a bus that has forgotten the
 * worker.
 */
export interface Announcement {
  booted(data: JsonObject): void;
  entered(phase: Phase): void;
  /** Records an open question. The returned function closes the question. */
  asked(question: Publication): () => void;
  /** The worker has ended; `again` returns no events from now on. */
  ended(): void;
  /** The events to publish, in the required order; empty when the worker has not begun or has ended. */
  again(): readonly Publication[];
}

const REASON = "announced again: the bus had forgotten this worker";

/**
 * A bus that has forgotten the worker begins with no phase, so the events lead to the present phase in the allowed
 * order.
 */
function phaseEvents(to: Phase, compose: Compose): Publication[] {
  const path = phasePath(to);
  return path.map((phase, index) => {
    const phases_completed = path.slice(0, index + 1);
    const change = { phase, prev: path[index - 1] ?? null, phases_completed, transition_reason: REASON };
    return compose("phase", { ...change, metadata: { announced_again: true } });
  });
}

export function createAnnouncement(compose: Compose): Announcement {
  const questions = new Set<Publication>();
  let boot: JsonObject | undefined;
  let phase: Phase | undefined;
  let over = false;
  return {
    booted: (data) => {
      boot = data;
    },
    entered: (entered) => {
      phase = entered;
    },
    asked: (question) => {
      questions.add(question);
      return () => void questions.delete(question);
    },
    ended: () => {
      over = true;
    },
    again: () => {
      if (over) return [];
      const booted = boot === undefined ? [] : [compose("boot", boot)];
      return [...booted, ...(phase === undefined ? [] : phaseEvents(phase, compose)), ...questions];
    },
  };
}
