import type { JsonObject, Phase } from "claw-contract";
import type { Client } from "../client.ts";
import type { Publication } from "../publishing/publishing.ts";
import type { Receipt } from "../publishing/spool.ts";
import { uuid } from "../platform.ts";
import type { WorkerOptions } from "./worker.ts";
import { phasePath } from "./phase-track.ts";

interface GivenIds {
  readonly id?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** Events on the topics of this worker. */
export interface OwnEvents {
  /** Builds an event with a new id, unless the caller gives one. */
  compose(name: string, data: JsonObject, given?: GivenIds): Publication;
  publish(event: Publication): Promise<Receipt>;
  /** Builds and publishes an event. */
  send(name: string, data: JsonObject, given?: GivenIds): Promise<Receipt>;
  /** The id of the latest event that is not a heartbeat. */
  lastEventId(): string | null;
}

export function createOwnEvents(client: Client, { parentId, terminalId }: WorkerOptions): OwnEvents {
  let lastEventId: string | null = null;
  const compose: OwnEvents["compose"] = (name, data, { id = uuid(), correlationId } = {}) => {
    if (name !== "heartbeat") lastEventId = id;
    const options = {
      id,
      ...(correlationId === undefined ? {} : { correlationId }),
      ...(parentId === undefined ? {} : { parentId }),
      ...(terminalId === undefined ? {} : { terminalId }),
    };
    return { topic: `worker.{self}.${name}`, data, options };
  };
  const publish: OwnEvents["publish"] = ({ topic, data, options }) => client.publish(topic, data, options);
  return {
    compose,
    publish,
    send: (...event) => publish(compose(...event)),
    lastEventId: () => lastEventId,
  };
}

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
