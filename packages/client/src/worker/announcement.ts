import type { Phase } from "@claw/contract";
import type { Publication } from "../publishing.ts";
import { phasePath } from "./phase-path.ts";

type Fields = Readonly<Record<string, unknown>>;
type Compose = (name: string, data: Fields) => Publication;

/** What the bus has confirmed of a worker, to be told again to one that has forgotten it. */
export interface Announcement {
  booted(data: Fields): void;
  entered(phase: Phase): void;
  /** A question is open until what this returns is called. */
  asked(question: Publication): () => void;
  /** Nothing has to be told any more. */
  ended(): void;
  /** In the order in which it has to be published; nothing when the worker has not begun or has ended. */
  again(): readonly Publication[];
}

const REASON = "announced again: the bus had forgotten this worker";

/** The bus begins with no phase, so the worker is led to where it stands the way the order of phases allows. */
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
  let boot: Fields | undefined;
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
