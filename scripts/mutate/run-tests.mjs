import { createVitest } from "vitest/node";

/** Started by `test-runner.mjs` in the copied tree: runs the unit tests it is sent, one order at a time. */
const vitest = await createVitest("test", { project: ["unit"], watch: false, bail: 1, reporters: [{}] });

/** The file of the order before, which has its old text again. */
let before;

async function specifications({ changed, tests, related }) {
  if (!related) return vitest.globTestSpecifications(tests);
  vitest.config.related = [changed];
  return vitest.getRelevantTestSpecifications();
}

async function run(order) {
  for (const file of [before, order.changed]) if (file !== undefined) vitest.invalidateFile(file);
  before = order.changed;
  // Results of earlier orders would be reported again, and their failures would end this run at once.
  vitest.state.filesMap.clear();
  const chosen = await specifications(order);
  if (chosen.length === 0) return { outcome: "passed", failed: [] };
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
  const failed = testModules.filter((module) => !module.ok()).map((module) => module.relativeModuleId);
  return { outcome: failed.length > 0 || unhandledErrors.length > 0 ? "failed" : "passed", failed };
}

process.on("message", (order) => {
  const lost = (error) => ({ outcome: "failed", lost: String(error) });
  void run(order)
    .catch(lost)
    .then((result) => process.send(result));
});
