import { schemaForTopic } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { PAGE_SCHEMAS } from "./page-schemas.ts";

test.each(["approve", "reject", "unblock", "abort", "pause", "resume", "inject_text", "set_phase", "spawn"])(
  "a %s command has the same schema name as the contract gives the command",
  (action) => {
    const topic = `cmd.p_000001.${action}`;
    expect(PAGE_SCHEMAS.nameOf(topic)).toBe(schemaForTopic(topic)?.name);
  },
);

test("other topics have no schema here", () => {
  expect(["cmd.x", "worker.p_1.boot", "cmd.a.b.c"].map(PAGE_SCHEMAS.nameOf)).toEqual([undefined, undefined, undefined]);
});

test("every event is left to the bus to check", () => {
  expect(PAGE_SCHEMAS.problemsOf("cmd.p_000001.abort", {})).toEqual([]);
});
