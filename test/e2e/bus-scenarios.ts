import { expect } from "vitest";
import { joinAsAudit } from "./answering-peer.ts";
import { startDaemon } from "./daemon-process.ts";
import type { Scenario } from "./golden-scenarios.ts";
import { clawJson } from "./run-claw.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import type { Workspace } from "./workspace.ts";

/** Calls that are made one after the other before the one that is looked at. */
const after =
  (...calls: readonly (readonly string[])[]) =>
  async (workspace: Workspace): Promise<void> => {
    await startDaemon(workspace);
    for (const argv of calls) expect(await clawJson(workspace, argv)).toMatchObject({ exit_code: 0 });
  };

async function statesOfTerminals(workspace: Workspace): Promise<unknown[]> {
  const { terminals } = await clawJson(workspace, ["terminal"]);
  return (terminals as { state: unknown }[]).map(({ state }) => state);
}

/** The same, with terminals that are ready, and whose host ends with the test. */
const afterTerminals =
  (...calls: readonly (readonly string[])[]) =>
  async (workspace: Workspace): Promise<void> => {
    endHostAfterTest(workspace);
    await after(...calls)(workspace);
    await expect.poll(() => statesOfTerminals(workspace)).toEqual(calls.map(() => "READY"));
  };

/** A worker that is told tasks. */
const withTasks =
  (...calls: readonly (readonly string[])[]) =>
  async (workspace: Workspace): Promise<void> => {
    const { socket } = await startDaemon(workspace);
    await joinAsAudit(socket);
    for (const argv of calls) expect(await clawJson(workspace, argv)).toMatchObject({ exit_code: 0 });
  };

const build = ["terminal", "create", "--name", "build"];
const audit = ["tasks", "assign", "audit", "Audit src"];
const plan = ["lifecycle", "plan", "audit it"];
const wave = ["wave", "create", "w1", "--roles", "lead,tester"];
const joined = ["pipeline", "create", "--source", "1", "--sink", "2"];

const ci = ["tokens", "create", "--role", "worker", "--peer", "ci"];

/** Verbs over the wire of the bus. Those that change nothing share a daemon between their envelopes. */
export const BUS_SCENARIOS = {
  "tokens create": { seeds: [], prepare: after(), argv: ci },
  "tokens list": { seeds: [], prepare: after(ci), argv: ["tokens"], inOneFolder: true },
  "tokens revoke": { seeds: [], prepare: after(ci), argv: ["tokens", "revoke", "ci", "--dry-run"], inOneFolder: true },
  dashboard: { seeds: [], prepare: after(), argv: ["dashboard", "--no-open"] },
  "terminal create": { seeds: [], prepare: afterTerminals(), argv: build },
  "terminal list": { seeds: [], prepare: afterTerminals(build), argv: ["terminal"], inOneFolder: true },
  "terminal exec": {
    seeds: [],
    prepare: afterTerminals(build),
    argv: ["terminal", "exec", "build", "echo tested"],
    inOneFolder: true,
  },
  "terminal close": {
    seeds: [],
    prepare: afterTerminals(build),
    argv: ["terminal", "close", "build", "--dry-run"],
    inOneFolder: true,
  },
  "tasks assign": { seeds: [], prepare: withTasks(), argv: audit },
  "tasks update": { seeds: [], prepare: withTasks(audit), argv: ["tasks", "update", "t_001"] },
  "tasks complete": { seeds: [], prepare: withTasks(audit), argv: ["tasks", "complete", "t_001"] },
  "tasks cancel": { seeds: [], prepare: withTasks(audit), argv: ["tasks", "cancel", "t_001"] },
  broadcast: { seeds: [], prepare: withTasks(), argv: ["broadcast", "main is frozen"], inOneFolder: true },
  "rpc call": {
    seeds: [],
    prepare: withTasks(),
    argv: ["rpc", "call", "audit", "describe"],
    inOneFolder: true,
  },
  "lifecycle show": { seeds: [], prepare: after(plan), argv: ["lifecycle"], inOneFolder: true },
  "lifecycle plan": { seeds: [], prepare: after(plan), argv: plan },
  "lifecycle advance": { seeds: [], prepare: after(plan), argv: ["lifecycle", "advance", "PLAN"] },
  "lifecycle reflect": {
    seeds: [],
    prepare: after(plan),
    argv: ["lifecycle", "reflect", "ship smaller", "--dry-run"],
    inOneFolder: true,
  },
  "wave create": { seeds: [], prepare: after(), argv: wave },
  "wave status": { seeds: [], prepare: after(wave), argv: ["wave", "status", "w1"], inOneFolder: true },
  "wave complete": {
    seeds: [],
    prepare: after(wave),
    argv: ["wave", "complete", "w1", "--dry-run"],
    inOneFolder: true,
  },
  "pipeline create": { seeds: [], prepare: after(), argv: joined },
  "pipeline list": { seeds: [], prepare: after(joined), argv: ["pipeline"], inOneFolder: true },
  "pipeline close": {
    seeds: [],
    prepare: after(joined),
    argv: ["pipeline", "close", "pipe_0001", "--dry-run"],
    inOneFolder: true,
  },
} as const satisfies Readonly<Record<string, Scenario>>;
