import type { VerbOutput } from "claw-contract";
import { loadFakeAgent } from "../../fake-agent/index.ts";
import type { LoadedScenario } from "./fake-scenario-file.ts";
import { loadScenario } from "./fake-scenario-file.ts";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { pairs } from "../text/text-layout.ts";

type Output = VerbOutput<"fake-agent">;

const DEFAULT_SCENARIO = "text";

const scenarioEntry = (id: string, { source, scenario }: LoadedScenario): Output["scenarios"][number] => ({
  id,
  summary: scenario.summary ?? "",
  source,
  steps_count: scenario.steps.length,
});

const scenarioList = (scenarios: Output["scenarios"]): Output => ({ scenarios, scenarios_count: scenarios.length });

const show = ({ scenarios }: Output, paint: Paint): string =>
  pairs(
    scenarios.map(({ id, summary }) => [id, summary]),
    paint,
    paint.bold,
  );

export const handler = handle("fake-agent", {
  run: async ({ agent, args = [], scenario: name }, { cwd, env, stage, stdin }) => {
    const { playFakeAgent, BUILT_IN_SCENARIOS } = await loadFakeAgent();
    const load = (id: string): Promise<LoadedScenario> => loadScenario(id, cwd, BUILT_IN_SCENARIOS);
    if (agent === undefined) {
      const ids = name === undefined ? Object.keys(BUILT_IN_SCENARIOS) : [name];
      return scenarioList(await Promise.all(ids.map(async (id) => scenarioEntry(id, await load(id)))));
    }
    const { scenario } = await load(name ?? DEFAULT_SCENARIO);
    const whole = { ...stage, input: stdin.chunks(), inputIsTerminal: stdin.isTerminal() };
    stage.leave(await playFakeAgent(agent, { argv: args, scenario, cwd, env, stage: whole }));
    return scenarioList([]);
  },
  show,
});
