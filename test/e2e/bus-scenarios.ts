import { expect } from "vitest";
import { startDaemon } from "./daemon-process.ts";
import type { Scenario } from "./golden-scenarios.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";

/** Calls that are made one after the other before the one that is looked at. */
const after =
  (...calls: readonly (readonly string[])[]) =>
  async (workspace: Workspace): Promise<void> => {
    await startDaemon(workspace);
    for (const argv of calls) expect(await clawJson(workspace, argv)).toMatchObject({ exit_code: 0 });
  };

const ci = ["tokens", "create", "--role", "worker", "--peer", "ci"];

/** Verbs over the wire of the bus, each on one daemon. */
export const BUS_SCENARIOS = {
  "tokens create": { seeds: [], prepare: after(), argv: ci, inOneFolder: true },
  "tokens list": { seeds: [], prepare: after(ci), argv: ["tokens"], inOneFolder: true },
  "tokens revoke": { seeds: [], prepare: after(ci), argv: ["tokens", "revoke", "ci", "--dry-run"], inOneFolder: true },
} as const satisfies Readonly<Record<string, Scenario>>;
