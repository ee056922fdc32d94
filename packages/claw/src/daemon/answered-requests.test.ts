import { matchTopic, REQUEST_NAMES } from "claw-contract";
import { expect, test } from "vitest";
import type { BusExtension } from "../bus/index.ts";
import { HANDLERS } from "../bus/requests/handlers.generated.ts";
import { createBusState, projectionsOf } from "../bus/state/bus-state.ts";
import { createMemoryLog } from "../bus/log/index.ts";
import { startBus } from "../bus/testing/bus-harness.ts";
import { createTokenStore } from "../bus/access/tokens/index.ts";
import { nodeFileSystem } from "../files/index.ts";
import { createPageExtension } from "./page/page-extension.ts";
import type { PagesOptions } from "./page/pages.ts";
import { createPages } from "./page/pages.ts";
import { createMemoryMomentStore } from "./moments/testing/memory-moment-store.ts";
import { createLifetime } from "./process/keep-running.ts";
import { utcDay } from "./supervision/budgets/budget-memory.ts";
import { supervise } from "./supervision/supervise.ts";
import type { SuperviseOptions } from "./supervision/supervise-options.ts";

const OPTIONS: SuperviseOptions = {
  cwd: "/nowhere",
  folder: "/nowhere/.claws",
  socket: "/nowhere/.claws/claws.sock",
  env: {},
  umask: 0o022,
  version: "0.0.0",
  bearerFor: () => null,
  doors: { open: () => Promise.reject(new Error("no worker is started here")), close: () => Promise.resolve() },
  rules: [],
  program: ["claw"],
  part: (name) => ["claw", name],
  lifetime: createLifetime(),
  perDay: {},
  dayOf: utcDay,
  touch: () => undefined,
  report: () => undefined,
  moments: { log: createMemoryLog(), store: createMemoryMomentStore() },
  notify: { log: createMemoryLog(), fs: nodeFileSystem, folder: "/nowhere", settings: () => undefined },
};

const PAGES: Omit<PagesOptions, "tokens"> = {
  fs: nodeFileSystem,
  folder: "/nowhere/page",
  statePath: "/nowhere/page.json",
  revoke: () => undefined,
  now: Date.now,
  version: "1.2.3",
  workspace: "/nowhere",
  report: () => undefined,
};

/** All extensions that the daemon adds to the bus. */
async function allExtensions(): Promise<readonly BusExtension[]> {
  let extensions: readonly BusExtension[] = [];
  const page = createPageExtension(createPages({ ...PAGES, tokens: createTokenStore(Date.now) }), OPTIONS);
  await startBus({ extend: (host) => (extensions = [...supervise(host, OPTIONS), page]) });
  return extensions;
}

test("the bus and the daemon answer every request of the contract, and no other", async () => {
  const extensions = await allExtensions();
  const added = extensions.flatMap(({ requests = [] }) => requests.map(({ name }) => name));
  expect([...HANDLERS.keys(), ...added].map(String).toSorted()).toEqual([...REQUEST_NAMES].toSorted());
});

test("no part of the bus or the daemon needs a worker's log entries as whole events, which would halve the bus's speed", async () => {
  const seesEntries = (patterns: readonly string[] = []): boolean =>
    patterns.some((pattern) => matchTopic(pattern, "worker.p_1.event"));
  const extensions = await allExtensions();
  const memories = [
    ...projectionsOf(createBusState({ thresholdsUsd: [] })),
    ...extensions.flatMap((each) => each.memory ?? []),
  ];
  const whole = memories.filter(({ patterns, logEntries }) => seesEntries(patterns) && logEntries === undefined);
  const reacting = extensions.filter(({ reactsTo, logEntries }) => seesEntries(reactsTo) && logEntries === undefined);
  expect([whole.map(({ patterns }) => patterns), reacting.map(({ name }) => name)]).toEqual([[], []]);
});
