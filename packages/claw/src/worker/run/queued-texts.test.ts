import type { Command } from "claw-client";
import { COMMAND_LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import type { AgentRun } from "../../harness/index.ts";
import { createQueuedTexts } from "./queued-texts.ts";

/** A worker that writes down its steps, at a time that can be set. */
function openPlace() {
  const steps: string[] = [];
  const clock = { now: 0 };
  const texts = createQueuedTexts({
    log: (text) => void steps.push(text),
    now: () => clock.now,
    worker: {
      step: async (command, { step, evidence, reason }) => {
        steps.push([command.id, step, reason ?? evidence?.value].join(" "));
        return { sequence: 0 } as never;
      },
      signal: async () => ({ sequence: 9 }) as never,
    },
  });
  return { steps, clock, texts };
}

const command = (id: string): Command => ({ id, sequence: 7, action: "inject_text", data: {} }) as unknown as Command;

/** An agent that is told everything, and remembers under which ids. */
function listener(): { readonly run: AgentRun; readonly ids: string[] } {
  const ids: string[] = [];
  const run = { pid: 42, say: (_text: string, id: string) => ids.push(id) > 0 } as unknown as AgentRun;
  return { run, ids };
}

test("every rung names what shows it, as far as the agent tells", async () => {
  const { steps, texts } = openPlace();
  const { run, ids } = listener();
  texts.add(command("a"), "one");
  texts.add(command("b"), "two");
  texts.offer(run);
  const [a = "", b = ""] = ids;
  texts.settle([{ id: a, fate: "read" }]);
  texts.settle([
    { id: a, fate: "taken" },
    { id: b, fate: "taken" },
  ]);
  await Promise.resolve();
  expect(steps.filter((step) => step.startsWith("a"))).toEqual([
    "a queued 7",
    "a injected 42",
    "a submitted read",
    "a acked 9",
    "a applied 9",
  ]);
  expect(steps.filter((step) => step.startsWith("b submitted"))).toEqual(["b submitted taken"]);
});

test("a text that the agent gives back is said again, before those that came later", () => {
  const { texts } = openPlace();
  const { run, ids } = listener();
  texts.add(command("a"), "one");
  texts.offer(run);
  texts.settle([{ id: ids[0] ?? "", fate: "read" }]);
  texts.add(command("b"), "two");
  texts.settle([{ id: ids[0] ?? "", fate: "refused" }]);
  expect(texts.asPrompt()).toBe("one\n\ntwo");
});

test("a text that waited longer than its sender was told is never said", () => {
  const { steps, clock, texts } = openPlace();
  const { run, ids } = listener();
  texts.add(command("a"), "old");
  clock.now = COMMAND_LIMITS.commandQueuedMs - 1;
  texts.add(command("b"), "new");
  clock.now += 1;
  expect(texts.waiting()).toBe(1);
  texts.offer(run);
  expect(ids).toHaveLength(1);
  expect(steps).toContain("a refused it waited too long");
});
