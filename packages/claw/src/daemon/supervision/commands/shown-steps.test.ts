import type { CommandRoute } from "claw-contract";
import type { CommandStep } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { CommittedEvent } from "../../../bus/index.ts";
import type { OpenCommand } from "./command-memory.ts";
import { shownSteps, WORKER_ENDED } from "./shown-steps.ts";

interface Given {
  readonly action?: string;
  readonly step?: CommandStep;
  readonly route?: CommandRoute;
  readonly entered?: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Command 10 of worker p_1, as far as a test says it has come. */
const commandAt = ({ action = "inject_text", step = "queued", route = "terminal", data = {} }: Given): OpenCommand => ({
  ladder: {
    commandId: "c-1",
    targetPeerId: "p_1",
    cmdTopic: `cmd.p_1.${action}`,
    action,
    from: "p_0",
    sequence: 10,
    rungs: [{ step, at: 0, evidence: null, route, deadline: null }],
  },
  data,
  correlationId: "r-1",
  begun: false,
});

interface Said {
  readonly topic: string;
  readonly payload: unknown;
  readonly from?: string;
  readonly sequence?: number;
}

function stepsShown(given: Given, { topic, payload, from = "p_1", sequence = 11 }: Said): unknown[] {
  const event = { topic, payload, from, sequence, tsServer: "2026-01-01T00:00:00.000Z" } as unknown as CommittedEvent;
  const shown = shownSteps({ command: commandAt(given), entered: given.entered ?? false }, event);
  return shown.map(({ step, reason }) => (reason === undefined ? step : [step, reason]));
}

const signal = (name: string): Said => ({ topic: "worker.p_1.signal", payload: { signal: name } });
const ack = (payload: Readonly<Record<string, unknown>>): Said => ({ topic: "cmd.p_1.ack", payload });

describe("a signal of the agent that a text was typed for", () => {
  test.each<[string, Given, readonly string[]]>([
    ["turn_started", { step: "queued", entered: true }, []],
    ["turn_started", { step: "injected", entered: false }, []],
    ["turn_started", { step: "injected", entered: true }, ["submitted", "acked"]],
    ["turn_started", { step: "submitted" }, ["acked"]],
    ["turn_started", { step: "acked" }, []],
    ["turn_started", { step: "submitted", route: "input" }, []],
    ["turn_ended", { step: "submitted" }, []],
    ["turn_ended", { step: "acked" }, ["applied"]],
    ["activity", { step: "acked" }, ["applied"]],
    ["tool_started", { step: "acked" }, ["applied"]],
    ["tool_ended", { step: "acked" }, ["applied"]],
    ["needs_input", { step: "acked" }, []],
    ["tool_ended", { step: "acked", route: "bus" }, []],
  ])("%s at %j shows %j", (name, given, steps) => {
    expect(stepsShown(given, signal(name))).toEqual(steps);
  });
});

describe("a pause and its end", () => {
  test.each<[string, string, readonly string[]]>([
    ["pause", "paused", ["applied"]],
    ["pause", "resumed", []],
    ["resume", "resumed", ["applied"]],
    ["resume", "paused", []],
    ["inject_text", "paused", []],
    ["inject_text", "resumed", []],
  ])("%s is applied by what the worker notices: %s", (action, name, steps) => {
    expect(stepsShown({ action, route: "bus" }, signal(name))).toEqual(steps);
  });
});

describe("the end of a worker", () => {
  const complete: Said = { topic: "worker.p_1.complete", payload: { result: "ok" } };

  test.each<[Given, unknown[]]>([
    [{ action: "abort", step: "queued" }, ["applied"]],
    [{ step: "acked" }, ["applied"]],
    [{ step: "submitted" }, [["expired", WORKER_ENDED]]],
    [{ step: "queued" }, [["expired", WORKER_ENDED]]],
  ])("ends its commands, done or not: %j", (given, steps) => {
    expect(stepsShown(given, complete)).toEqual(steps);
  });
});

describe("what a worker says of a command itself", () => {
  const report = (payload: Readonly<Record<string, unknown>>): Said => ({ topic: "worker.p_1.command", payload });

  test("is believed for a step that there is, and for its own command", () => {
    const evidence = { kind: "process", value: 7 };
    const said = report({ command_id: "c-1", step: "submitted", route: "input", evidence, reason: "as told" });
    const event = { ...said, from: "p_1", sequence: 11 } as unknown as CommittedEvent;
    expect(shownSteps({ command: commandAt({}), entered: false }, event)).toEqual([
      { step: "submitted", evidence, route: "input", reason: "as told" },
    ]);
    expect(stepsShown({}, report({ command_id: "c-2", step: "submitted" }))).toEqual([]);
    expect(stepsShown({}, report({ command_id: "c-1", step: "invented" }))).toEqual([]);
  });

  test("has no evidence where it names none that is known, and a refusal always has a reason", () => {
    const unknown = report({ command_id: "c-1", step: "refused", evidence: { kind: "hearsay", value: 1 } });
    const event = { ...unknown, from: "p_1", sequence: 11 } as unknown as CommittedEvent;
    const refused = { step: "refused", evidence: null, route: undefined, reason: "the worker refused it" };
    expect(shownSteps({ command: commandAt({}), entered: false }, event)).toEqual([refused]);
  });
});

describe("an acknowledgement", () => {
  test.each<[string, unknown[]]>([
    ["executed", ["acked", "applied"]],
    ["duplicate", ["acked"]],
    ["rejected", [["refused", "the worker rejected it"]]],
  ])("%s of a command by its place in the log", (status, steps) => {
    expect(stepsShown({}, ack({ seq: 10, status }))).toEqual(steps);
    expect(stepsShown({}, ack({ seq: 9, status }))).toEqual([]);
  });

  test("is heard on its own topic alone", () => {
    expect(stepsShown({}, { ...ack({ seq: 10, status: "executed" }), topic: "cmd.p_1.approve" })).toEqual([]);
  });
});

describe("an event with the command's id", () => {
  test.each([{ correlation_id: "c-1" }, { correlation_id: "r-1" }])("shows that it was answered: %j", (payload) => {
    expect(stepsShown({}, { topic: "worker.p_1.event", payload })).toEqual(["acked"]);
  });

  test("shows so too when the id stands beside the event's data", () => {
    const envelope = {
      v: 2,
      id: "e-1",
      from_peer: "p_1",
      ts_published: "2026-01-01T00:00:00.000Z",
      schema: "event-v1",
    };
    const payload = { ...envelope, correlation_id: "r-1", data: { kind: "PROGRESS" } };
    expect(stepsShown({}, { topic: "worker.p_1.event", payload })).toEqual(["acked"]);
  });

  test("of something else shows nothing, nor does one without an id", () => {
    expect(stepsShown({}, { topic: "worker.p_1.event", payload: { correlation_id: "c-2" } })).toEqual([]);
    expect(stepsShown({}, { topic: "worker.p_1.event", payload: {} })).toEqual([]);
  });

  test("counts beside what the event says otherwise", () => {
    const correlated = { correlation_id: "c-1", signal: "turn_started" };
    expect(stepsShown({ step: "submitted" }, { topic: "worker.p_1.signal", payload: correlated })).toEqual([
      "acked",
      "acked",
    ]);
  });
});

describe("a phase", () => {
  const phase: Given = { action: "set_phase", route: "bus", data: { phase: "PLAN" } };

  test("applies a command that set it, and no other", () => {
    expect(stepsShown(phase, { topic: "worker.p_1.phase", payload: { phase: "PLAN" } })).toEqual(["applied"]);
    expect(stepsShown(phase, { topic: "worker.p_1.phase", payload: { phase: "SPAWN" } })).toEqual([]);
    expect(stepsShown(phase, { topic: "worker.p_1.event", payload: { phase: "PLAN" } })).toEqual([]);
    const other = { ...phase, action: "inject_text" };
    expect(stepsShown(other, { topic: "worker.p_1.phase", payload: { phase: "PLAN" } })).toEqual([]);
  });
});

describe("nothing is shown", () => {
  test("by another worker, or by what was there before the command", () => {
    expect(stepsShown({ step: "acked" }, { ...signal("turn_ended"), from: "p_2" })).toEqual([]);
    expect(stepsShown({ step: "acked" }, { ...signal("turn_ended"), sequence: 9 })).toEqual([]);
    expect(stepsShown({ step: "acked" }, { ...signal("turn_ended"), sequence: 10 })).toEqual([]);
    expect(stepsShown({ step: "acked" }, { ...signal("turn_ended"), sequence: 11 })).toEqual(["applied"]);
  });
});
