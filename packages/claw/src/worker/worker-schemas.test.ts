import { schemaForTopic } from "@claw/contract/schemas";
import { expect, test } from "vitest";
import { WORKER_SCHEMAS } from "./worker-schemas.ts";

test("what a worker says of itself is named as the contract names it", () => {
  for (const name of ["boot", "phase", "event", "heartbeat", "complete", "signal", "command"]) {
    const topic = `worker.self.${name}`;
    expect(WORKER_SCHEMAS.nameOf(topic)).toBe(schemaForTopic(topic)?.name);
  }
});
