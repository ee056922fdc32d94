import { ClawError, requestSpec } from "claw-contract";
import type { RequestName } from "claw-contract";
import type { Judges } from "../leases/judges.ts";
import type { Peer } from "../peers/peer.ts";
import type { StoredEvent } from "../log/index.ts";
import { storageCode } from "../publish/store-event.ts";
import type { WireRequest } from "../wire/wire.ts";
import { refuseRequest } from "../wire/wire.ts";
import type { Homes, Placed, Unplaced } from "./home-of-request.ts";
import { placeRequest } from "./home-of-request.ts";
import type { Passage } from "./passage.ts";
import { createPassage } from "./passage.ts";
import type { RoutedReply, RoutedRequest } from "./routed-texts.ts";
import { routedPeerOf } from "./routed-texts.ts";
import type { Router } from "./router.ts";

/** A request of a peer that may be another machine's to answer. */
export interface Routable {
  readonly name: RequestName;
  readonly peer: Peer;
  readonly request: WireRequest;
  /** The line of the request; absent when the request was changed. */
  readonly line: string | undefined;
  /** Has this daemon answer. Never rejects. Absent for a request that only the other daemon can carry out. */
  readonly answerHere?: () => Promise<string>;
}

/** The way of requests to the machines whose daemons answer them. */
export interface Routing {
  readonly passage: Passage;
  /** The other machine whose daemon answers a request, and the request for it; undefined when this daemon answers. */
  elsewhere(name: RequestName, unplaced: Unplaced): Placed | undefined;
  /**
   * Has the daemon of a machine answer, and resolves with the frame for the peer. Never rejects. What a machine that is gone
   * would decide about an approval or a task, this daemon decides, as the only one at a time.
   */
  forward(machine: string, routable: Routable): Promise<string>;
  /** Whether the publisher of an event that another machine stored gets it too. */
  readonly wantsEcho: (event: Pick<StoredEvent, "topic" | "from">) => boolean;
}

export interface RoutingOptions {
  readonly router: Router | undefined;
  readonly judges: Judges | undefined;
  readonly homes: () => Homes;
  /** The place in the log that the state has taken in. */
  readonly through: () => number;
}

/** A token is for this daemon alone. */
function withoutToken({ request, line }: Routable): string {
  if (request["bearer"] === undefined && line !== undefined) return line;
  const { bearer: _secret, ...rest } = request;
  return JSON.stringify(rest);
}

const refusalOf = (request: WireRequest, failure: unknown): string =>
  failure instanceof ClawError
    ? refuseRequest(request, failure.message, { ...storageCode(failure), hint: failure.hint })
    : refuseRequest(request, "internal error");

/** Publishes under way whose publishers get the event too. */
function createEchoes() {
  const counts = new Map<string, number>();
  const keyOf = (topic: string, peerId: string): string => `${peerId} ${topic}`;
  return {
    has: (topic: string, peerId: string): boolean => counts.size > 0 && counts.has(keyOf(topic, peerId)),
    /** Returns a function that ends the publish. */
    expect: (topic: string, peerId: string): (() => void) => {
      const key = keyOf(topic, peerId);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return () => {
        const left = (counts.get(key) ?? 0) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}

/** What a request would have the daemon of a machine decide; undefined for a request that only that daemon can carry out. */
function decidedBy({ name, request }: Routable): string | undefined {
  const { routedBy } = requestSpec(name);
  return routedBy?.names === "approval" || routedBy?.names === "task"
    ? `${routedBy.names} ${String(request[routedBy.field]).slice(0, 100)}`
    : undefined;
}

/** Decides in place of a machine that is gone; undefined when the machine is not gone, or is heard again by now. */
async function decideHere(
  judges: Judges | undefined,
  machine: string,
  routable: Routable,
): Promise<string | undefined> {
  const what = decidedBy(routable);
  if (what === undefined || judges?.isGone(machine) !== true) return undefined;
  const end = await judges.decide(what);
  try {
    return judges.isGone(machine) ? await routable.answerHere?.() : undefined;
  } finally {
    await end();
  }
}

/** Finds the other machine that a request is for. */
const createPlacing =
  (router: Router, homes: () => Homes): Routing["elsewhere"] =>
  (name, unplaced) => {
    const { routedBy } = requestSpec(name);
    if (routedBy === undefined) return undefined;
    const placed = placeRequest(homes(), routedBy, unplaced);
    return placed?.machine === router.machine ? undefined : placed;
  };

export function createRouting({ router, judges, homes, through }: RoutingOptions): Routing {
  const passage = createPassage(through);
  const echoes = createEchoes();
  const ask = async (machine: string, routable: Routable): Promise<string> => {
    const question: RoutedRequest = {
      peer: routedPeerOf(routable.peer),
      through: through(),
      line: withoutToken(routable),
    };
    const answer = await (router as Router).ask(machine, JSON.stringify(question));
    const reply = JSON.parse(answer) as RoutedReply;
    // The peer sees the events of its request before the answer.
    await passage.whenPassed(reply.through);
    return reply.frame;
  };
  return {
    passage,
    wantsEcho: ({ topic, from }) => echoes.has(topic, from),
    elsewhere: router === undefined ? () => undefined : createPlacing(router, homes),
    forward: async (machine, routable) => {
      const { request, peer } = routable;
      const forget = request["echo"] === true ? echoes.expect(String(request["topic"]), peer.id) : undefined;
      try {
        return (await decideHere(judges, machine, routable)) ?? (await ask(machine, routable));
      } catch (failure) {
        return refusalOf(request, failure);
      } finally {
        forget?.();
      }
    },
  };
}
