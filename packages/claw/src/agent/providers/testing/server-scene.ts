import type { ModelServer } from "../../../../../../test/model-server/model-server.ts";
import { startModelServer } from "../../../../../../test/model-server/model-server.ts";
import type { Answer, ModelScenario, Turn } from "../../../../../../test/model-server/model-scenario.ts";
import { broken, FAULTS, say } from "../../../../../../test/model-server/model-scenario.ts";
import type { PlotTurn } from "../provider.conformance.ts";

const FAILS = { RATE_LIMIT_EXCEEDED: FAULTS.rateLimited, TOKEN_INVALID: FAULTS.unauthorised } as const;

function turnOf(turn: PlotTurn): Turn {
  if (turn === "echo-result") return ({ output }) => say(output);
  if (turn === "hangs") return broken({ ...say("begun and never finished") }, "hang", 4);
  if ("fails" in turn) return FAILS[turn.fails];
  const { usage, blocks, stop } = turn;
  const counted: Partial<Answer> =
    usage === undefined
      ? {}
      : {
          inputTokens: usage.input_tokens,
          outputTokens: usage.output_tokens,
          cacheReadTokens: usage.cache_read_input_tokens,
          cacheCreationTokens: usage.cache_creation_input_tokens,
        };
  return { kind: "answer", blocks, ...counted, ...(stop === undefined ? {} : { stop }) };
}

export const scenarioOf = (turns: readonly PlotTurn[]): ModelScenario => ({ turns: turns.map(turnOf) });

/** A server whose scenarios can be made up one by one. */
export interface SceneServer extends Pick<ModelServer, "requests" | "close"> {
  /** The base URL of a scenario that nobody else uses; its name is the run's too. */
  play(scenario: ModelScenario): { readonly baseUrl: string; readonly run: string };
}

export async function startSceneServer(): Promise<SceneServer> {
  const scenarios: Record<string, ModelScenario> = {};
  const server = await startModelServer({ scenarios });
  return {
    requests: (run) => server.requests(run),
    close: () => server.close(),
    play: (scenario) => {
      const run = `scene-${Object.keys(scenarios).length}`;
      scenarios[run] = scenario;
      return { baseUrl: server.baseUrl(run, run), run };
    },
  };
}
