import type { JsonObject } from "claw-contract";
import type { Client } from "../client.ts";
import type { Publication } from "../publishing/publishing.ts";
import type { Receipt } from "../publishing/spool.ts";
import { uuid } from "../platform.ts";
import type { WorkerOptions } from "./worker.ts";

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
