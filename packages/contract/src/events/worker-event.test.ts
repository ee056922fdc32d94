import { describe, expect, test } from "vitest";
import { readEvent } from "./read-event.ts";
import { EVENT_KINDS, eventDetails, WorkerEvent } from "./worker-event.ts";

const topic = "worker.p7.event";
const schema = "worker-event-v1";

const examples = [
  {
    kind: "BLOCKED",
    severity: "warn",
    message: "needs approval to spawn 3 sub-workers",
    request_id: "req-abc",
    data: { blocking_resource: "approval", retryable: true },
  },
  {
    kind: "REQUEST",
    severity: "info",
    message: "choose: full rewrite vs. patch?",
    request_id: "req-xyz",
    data: {
      request_type: "decision",
      options: [
        { id: "A", label: "full rewrite" },
        { id: "B", label: "patch" },
      ],
    },
  },
  {
    kind: "HARVEST",
    severity: "info",
    message: "audit findings ready",
    data: { artifacts: [{ path: "/tmp/audit.md", type: "markdown", size_bytes: 4200 }] },
  },
  {
    kind: "ERROR",
    severity: "fatal",
    message: "ran out of token budget",
    data: {
      error_class: "UsageLimitExceeded",
      retryable: false,
      suggested_action: "respawn with smaller model",
    },
  },
  {
    kind: "DECISION",
    severity: "info",
    message: "chose option B (patch) — full rewrite would touch shared files",
    data: { decision_id: "dec-1", option_chosen: "B", reasoning: "..." },
  },
  {
    kind: "PROGRESS",
    severity: "info",
    message: "3 of 7 files reviewed",
    data: { percent: 0.43, current_step: 3, total_steps: 7, eta_ms: 120000 },
  },
  { kind: "LOG", severity: "info", message: "reading server.ts", data: {} },
] as const;

test("there is an example of every kind", () => {
  expect(examples.map(({ kind }) => kind)).toEqual(EVENT_KINDS);
});

describe.each(examples)("$kind", (example) => {
  const { data: details, ...base } = example;

  test("is read from its envelope and bare", () => {
    const envelope = { schema, data: example };
    expect(readEvent(topic, envelope)).toEqual({ ok: true, event: { topic, schema, data: example, envelope } });
    expect(readEvent(topic, example)).toEqual({ ok: true, event: { topic, schema, data: example, envelope: null } });
  });

  test("has the same details beside its fields as in data", () => {
    expect(eventDetails(WorkerEvent.parse(example))).toEqual(details);
    expect(eventDetails(WorkerEvent.parse({ ...base, ...details }))).toEqual(details);
    expect(eventDetails(WorkerEvent.parse(base))).toEqual({});
  });

  test.each(["kind", "severity", "message"] as const)("requires %s", (field) => {
    const { [field]: _, ...rest } = example;
    expect(readEvent(topic, rest)).toMatchObject({ reason: "malformed", problems: [{ path: [field] }] });
  });

  test.each(Object.keys(details))("refuses another type in %s, wherever it stands", (field) => {
    expect(readEvent(topic, { ...base, [field]: null })).toMatchObject({ problems: [{ path: [field] }] });
    expect(readEvent(topic, { ...base, data: { [field]: null } })).toMatchObject({
      problems: [{ path: ["data", field] }],
    });
  });
});

describe("worker events", () => {
  const log = { kind: "LOG", severity: "info", message: "x" };

  test.each([
    { ...log, kind: "GOSSIP" },
    { ...log, kind: "log" },
    { ...log, kind: "constructor" },
    { ...log, severity: "mild" },
    { ...log, message: "" },
    { ...log, request_id: "" },
    { ...log, request_id: "x".repeat(129) },
    { ...log, data: "text" },
  ])("%j is malformed", (data) => {
    expect(readEvent(topic, data)).toMatchObject({ ok: false, reason: "malformed" });
  });

  test("where both places have a detail, data wins", () => {
    const event = WorkerEvent.parse({ ...log, kind: "PROGRESS", percent: 0.1, eta_ms: 5, data: { percent: 0.2 } });
    expect(eventDetails(event)).toEqual({ percent: 0.2, eta_ms: 5 });
  });

  test("details of another kind are fields like any unknown one", () => {
    const event = WorkerEvent.parse({ ...log, options: "free" });
    expect(eventDetails(event)).toEqual({});
  });
});
