import { schemaForTopic, WORKER_EVENTS } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { WORKER_SCHEMAS } from "./open-life.ts";

test.each(WORKER_EVENTS.map(({ pattern }) => pattern.replace("*", "self")))(
  "%s is named as in the contract",
  (topic) => {
    expect(WORKER_SCHEMAS.nameOf(topic)).toBe(schemaForTopic(topic)?.name);
  },
);
