import { matchVerb } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { SCENARIOS } from "./e2e/golden-scenarios.ts";
import { DRY_RUNS, KEYED, KEYED_ON_DAEMON, KEYED_ON_WORKER, ON_BUS } from "./e2e/mutating-calls.ts";

const verbs = Object.values(VERBS);
const all = verbs.map(({ name }) => name as string);

/** All but what needs a person at a terminal. */
const mutating = verbs
  .filter(({ name, effect }) => effect !== "read" && !["chat", "attach", "top"].includes(name))
  .map(({ name }) => name as string);

const verbsOf = (calls: readonly (readonly string[])[]): unknown[] =>
  calls.map((argv) => matchVerb(argv, verbs)?.verb.name);

const ON_BUS_CALLS = ON_BUS.map(([, argv]) => argv);

/** Tables of the end-to-end tests with a row for each of these verbs. */
test.each([
  ["VERB_SCENARIOS in test/e2e/golden-scenarios.ts", all, Object.keys(SCENARIOS)],
  [
    "DRY_RUNS in test/e2e/mutating-calls.ts: its call, its effect, the paths it would change",
    mutating,
    verbsOf([...DRY_RUNS.map(({ argv }) => argv), ...ON_BUS_CALLS]),
  ],
  [
    "KEYED in test/e2e/mutating-calls.ts: a call that is made twice with one idempotency key",
    mutating,
    verbsOf([...KEYED, ...KEYED_ON_DAEMON, ...KEYED_ON_WORKER.map(([argv]) => argv), ...ON_BUS_CALLS]),
  ],
])("no verb lacks its row of %s", (table, wanted, rows) => {
  const missing = wanted.filter((verb) => !rows.includes(verb));
  expect(missing.map((verb) => `Add a row for "${verb}" to ${table}.`)).toEqual([]);
});

test("no verb that only reads has a row among those that change something", () => {
  const calls = [...DRY_RUNS.map(({ argv }) => argv), ...KEYED, ...KEYED_ON_DAEMON, ...ON_BUS_CALLS];
  expect(verbsOf(calls).filter((verb) => !mutating.includes(String(verb)))).toEqual([]);
});
