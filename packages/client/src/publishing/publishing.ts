import type { ClawError } from "claw-contract";
import type { EventSchemas, PublishOptions } from "./prepare-publish.ts";
import { loadEventSchemas, preparePublish } from "./prepare-publish.ts";
import type { Receipt, PublishSpool, SpooledEvent } from "./spool.ts";
import type { Timer } from "../platform.ts";

/** Something to publish. */
export interface Publication {
  readonly topic: string;
  readonly data: unknown;
  readonly options: PublishOptions;
}

/** From data to the spool. */
export interface EventPublisher {
  /** Resolves with the receipt; rejects with PUBLISH_INVALID, with what the spool rejects, or why the client ended. */
  publish(publication: Publication): Promise<Receipt>;
  /** Events ready to be sent, in the same order. */
  prepare(publications: readonly Publication[]): Promise<SpooledEvent[]>;
}

export interface PublishingParts {
  readonly spool: PublishSpool;
  readonly timer: Timer;
  /** Of the client. */
  readonly name: string;
  /** The contract's own without it. */
  readonly schemas?: EventSchemas | undefined;
  /** Why nothing more can be published. */
  readonly failure: () => ClawError | undefined;
}

export function createEventPublisher({ spool, timer, name, schemas: given, failure }: PublishingParts): EventPublisher {
  let loading = given === undefined ? undefined : Promise.resolve(given);
  const load = async (): Promise<EventSchemas> => {
    try {
      return await (loading ??= loadEventSchemas());
    } catch (error) {
      // A page that was offline may find the file later.
      loading = undefined;
      throw error;
    }
  };
  const prepareAt = (publishedAt: number, publication: Publication, schemas: EventSchemas): SpooledEvent =>
    preparePublish({ ...publication, fromName: name, publishedAt }, schemas);
  return {
    prepare: async (publications) => {
      const publishedAt = timer.now();
      const schemas = await load();
      return publications.map((publication) => prepareAt(publishedAt, publication, schemas));
    },
    publish: async (publication) => {
      const publishedAt = timer.now();
      const event = prepareAt(publishedAt, publication, await load());
      const error = failure();
      if (error !== undefined) throw error;
      return spool.add(event);
    },
  };
}

/** Checks what would be published as `publish` does. Rejects with PUBLISH_INVALID or REQUEST_TOO_LARGE. */
export async function checkPublication(topic: string, data: unknown): Promise<void> {
  preparePublish({ topic, data, options: {}, fromName: "check", publishedAt: 0 }, await loadEventSchemas());
}
