import type { EventProblem } from "claw-contract/schemas";

/** Names and checks events before they are sent. */
export interface EventSchemas {
  /** The schema of a topic; undefined for a topic without one. */
  nameOf(topic: string): string | undefined;
  /** Lists the problems of a payload on a topic; empty for a topic without a schema. */
  problemsOf(topic: string, payload: unknown): readonly EventProblem[];
}

/** Loads the schema library, which takes time, so the first publish calls this and no earlier code. */
export async function loadEventSchemas(): Promise<EventSchemas> {
  const { readEvent, schemaForTopic } = await import("claw-contract/schemas");
  return {
    nameOf: (topic) => schemaForTopic(topic)?.name,
    problemsOf: (topic, payload) => {
      const reading = readEvent(topic, payload);
      if (reading.ok || reading.reason === "unknown-topic") return [];
      if (reading.reason === "malformed") return reading.problems;
      return [{ code: "unknown_version", path: ["schema"], message: `${reading.schema} is not known here` }];
    },
  };
}
