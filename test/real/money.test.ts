import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "claw-contract";
import { costOf } from "claw-contract";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { killHard } from "../e2e/daemon-process.ts";
import type { Answer, Attempt, ModelScenario, Turn } from "../model-server/model-scenario.ts";
import { say, use } from "../model-server/model-scenario.ts";
import type { SentAnswer } from "../model-server/model-server.ts";
import { runReal } from "./claw.ts";
import { claudePastFirstStart, codexPastFirstStart } from "./first-start.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { agentOf, claw, spawnHeadless, spawnWorker, startDaemon, untilState } from "./real-workers.ts";
import { chooseSeed, createRandom } from "../reliability/random.ts";

type Cli = "claude-code" | "codex";

const SUB_WORK = "SUB-AGENT-WORK";
const HANG = { kind: "hang", at: "after-headers" } as const;

/** A tool of Codex that it offers on demand only. */
const agents = (name: string, input: JsonObject): Answer => ({
  kind: "answer",
  blocks: [{ kind: "tool", namespace: "multi_agent_v1", name, input }],
});

/** What a call is told to have used. Codex's input holds what came from the cache. */
interface Used {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheCreationTokens?: number;
  readonly cacheHourTokens?: number;
}

const allTokens = (cli: Cli, used: Partial<Used>): number => {
  const { inputTokens = 1000, outputTokens = 20, cacheReadTokens = 0, cacheCreationTokens = 0 } = used;
  return inputTokens + outputTokens + (cli === "codex" ? 0 : cacheReadTokens + cacheCreationTokens);
};

/** Dollars of a call by the list prices. */
const usdOf = (cli: Cli, { model, answer }: SentAnswer): number => {
  const { inputTokens = 1000, outputTokens = 20, cacheReadTokens = 0, cacheCreationTokens = 0 } = answer;
  const usd = costOf(model, {
    input_tokens: inputTokens - (cli === "codex" ? cacheReadTokens : 0),
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheCreationTokens,
    cache_creation_1h_input_tokens: answer.cacheHourTokens ?? 0,
  });
  return usd ?? Number.NaN;
};

const sentTokens = (cli: Cli, scene: RealScene): number =>
  scene.answers().reduce((sum, { answer }) => sum + allTokens(cli, answer), 0);
const sentUsd = (cli: Cli, scene: RealScene): number =>
  scene.answers().reduce((sum, each) => sum + usdOf(cli, each), 0);

async function onlyWorker(scene: RealScene): Promise<Frame> {
  const [worker = {}] = (await claw(scene, "ps"))["workers"] as Frame[];
  return worker;
}

/** What `claw ps` shows once it has counted that many tokens. */
async function untilCounted(scene: RealScene, tokens: number): Promise<Frame> {
  for (const deadline = Date.now() + 60_000; ;) {
    const worker = await onlyWorker(scene);
    if (Number(worker["tokens"]) >= tokens || Date.now() > deadline) return worker;
  }
}

interface Play {
  readonly cli: Cli;
  readonly flags: readonly string[];
  /** A scene in which the CLI asks nothing at its start. */
  readonly prepare: (scene: RealScene) => RealScene;
  /** Runs a harmless command. */
  readonly run: Answer;
  /** Has a sub-agent do something and waits for it. */
  readonly delegate: readonly Answer[];
  /** Usages of a call from the cache, one that fills it, and one at the price of large requests. */
  readonly cached: Used;
  readonly filling: Used;
  readonly large: Used;
}

const PLAYS: readonly Play[] = [
  {
    cli: "claude-code",
    flags: ["--model", "claude-haiku-5-5"],
    prepare: claudePastFirstStart,
    run: use("Bash", { command: "echo ran", description: "Say so" }),
    delegate: [
      use("Agent", {
        description: "Do part of it",
        prompt: `${SUB_WORK} please`,
        subagent_type: "general-purpose",
        run_in_background: false,
      }),
    ],
    cached: { inputTokens: 12, outputTokens: 102, cacheReadTokens: 9000, cacheCreationTokens: 70 },
    filling: { inputTokens: 11, outputTokens: 101, cacheCreationTokens: 9000, cacheHourTokens: 4000 },
    large: { inputTokens: 13, outputTokens: 103, cacheReadTokens: 150_000 },
  },
  {
    cli: "codex",
    flags: ["--model", "gpt-5.5"],
    prepare: codexPastFirstStart,
    run: use("exec_command", { cmd: "echo ran" }),
    delegate: [
      agents("spawn_agent", { message: `${SUB_WORK} please` }),
      agents("wait_agent", { targets: ["__OUTPUT.agent_id__"], timeout_ms: 60_000 }),
    ],
    cached: { inputTokens: 9100, outputTokens: 102, cacheReadTokens: 9000 },
    filling: { inputTokens: 200_000, outputTokens: 101 },
    large: { inputTokens: 300_000, outputTokens: 103, cacheReadTokens: 290_000 },
  },
];

/** Calls of a life that is killed at one of them. */
const CALLS = 5;
/** Calls that a sum may hold. */
const MOST_CALLS = 30;

/** Answers whose sum of tokens tells which of them it holds: each call uses twice as many as the one before. */
function createMarks(): (answer: Answer) => Turn {
  let number = 0;
  return (answer) => () => ({ ...answer, inputTokens: 16 * 2 ** number++ - 4, outputTokens: 4 });
}

/** Which calls a sum of marked calls holds. */
const callsIn = (tokens: number): number[] =>
  Array.from({ length: MOST_CALLS }, (_, index) => index).filter(
    (index) => Math.floor(tokens / 16 / 2 ** index) % 2 === 1,
  );

describe.each(PLAYS)("what $cli spends", ({ cli, flags, run, delegate, cached, filling, large, prepare }) => {
  const spawn = ["--harness", cli, ...flags, "--on-crash", "restart"];

  test("is counted to the token: cached and not, of sub-agents, in every tier, and over a resume", async () => {
    // Codex shortens a conversation behind a large request, by a call of its own: when it is gone on with.
    const used = [filling, cached, cached, large];
    const turns = [run, ...delegate, say("Done.")].map((answer, index) => ({ ...answer, ...used[index] }));
    const sub = [
      { ...run, ...filling },
      { ...say("7."), ...cached },
    ];
    const scenario: ModelScenario = {
      turns: [...turns, { ...say("Better."), ...cached }],
      conversations: [{ prompt: SUB_WORK, turns: sub }],
    };
    const scene = await createRealScene(scenario);
    const worker = await spawnHeadless(scene, ...spawn, "say hello");
    const first = await worker.complete();
    expect(scene.answers()).toHaveLength(turns.length + sub.length);
    expect(first["total_tokens"]).toBe(sentTokens(cli, scene));
    expect(first["total_cost_usd"]).toBeCloseTo(sentUsd(cli, scene), 9);
    await untilState(scene, "finished");
    await claw(scene, "rework", worker.id, "say it louder");
    const [, second = {}] = await worker.until("another result", (found) => found.length === 2, "complete");
    expect(Number(first["total_tokens"]) + Number(second["total_tokens"])).toBe(sentTokens(cli, scene));
    const { tokens, cost_usd: paid, unknown_calls: unknown, model, current_action } = await onlyWorker(scene);
    expect([tokens, unknown, model, current_action]).toEqual([sentTokens(cli, scene), 0, flags[1], null]);
    expect(paid).toBeCloseTo(sentUsd(cli, scene), 5);
  });

  test("is told while it runs, and a budget is overrun by no more than the calls in flight", async () => {
    const call = { inputTokens: 100_000, outputTokens: 1000 };
    const scene = await createRealScene({ turns: [{ ...run, ...call }, { ...run, ...call }, HANG] });
    await spawnHeadless(scene, ...spawn, "say hello");
    await until("the third request", () => scene.requests().length === 3);
    expect((await untilCounted(scene, sentTokens(cli, scene)))["tokens"]).toBe(sentTokens(cli, scene));
    const again = await createRealScene({ turns: [{ ...run, ...call, dripMs: 40 }] });
    const one = usdOf(cli, { run: "", request: 0, model: String(flags[1]), answer: { ...run, ...call } });
    const poor = await spawnHeadless(again, ...spawn, "--budget-usd", String(one * 2.5), "say hello");
    await poor.until("the limit", (found) => found.length > 0, "complete");
    // Three calls go over the limit; a fourth may have been asked for when the third was counted.
    expect(again.answers().length).toBeGreaterThanOrEqual(3);
    expect(again.requests().length).toBeLessThanOrEqual(4);
  });

  test("is in the answer of claw run, with its sub-agents", async () => {
    const turns = [run, ...delegate, say("Done.")].map((answer) => ({ ...answer, ...cached }));
    const scene = await createRealScene({
      turns,
      conversations: [{ prompt: SUB_WORK, turns: [{ ...say("7."), ...filling }] }],
    });
    const { result } = await runReal(scene, cli, ...flags);
    const read = cli === "codex" ? 0 : result.cache_read_input_tokens + result.cache_creation_input_tokens;
    expect(result.input_tokens + result.output_tokens + read).toBe(sentTokens(cli, scene));
    expect(result.cost_usd).toBeCloseTo(sentUsd(cli, scene), 9);
    expect(result.cost_estimated).toBe(cli === "codex" ? true : undefined);
  });

  test("is counted in a terminal too", async () => {
    const turns = [
      { ...run, ...filling },
      { ...say("Done."), ...cached },
    ];
    const scene = prepare(await createRealScene({ turns }));
    await startDaemon(scene);
    await spawnWorker(scene, "--interactive", "--harness", cli, ...flags, "say hello");
    await untilState(scene, "needs_input");
    // Codex also makes a title of the prompt, and writes that call down nowhere.
    const wanted = allTokens(cli, filling) + allTokens(cli, cached);
    expect(await untilCounted(scene, wanted)).toMatchObject({ tokens: wanted, model: flags[1] });
  });

  const seed = chooseSeed();

  test.each(["agent", "worker"] as const)(`is not lost when the %s is killed (CLAW_SEED=${seed})`, async (victim) => {
    const random = createRandom(seed);
    const mark = createMarks();
    // The last answer takes its time, so that the kill always comes before the end.
    const turns = [...Array.from({ length: CALLS }, () => mark(run)), mark({ ...say("Done."), dripMs: 500 })];
    const scene = await createRealScene({ turns });
    const worker = await spawnHeadless(scene, ...spawn, "say hello");
    const [requests, delayMs] = [1 + random.below(CALLS), random.below(300)];
    await until("a request", () => scene.requests().length >= requests);
    // Any moment will do: the sums hold at all of them.
    await setTimeout(delayMs);
    await killHard(victim === "worker" ? worker.pid : await agentOf(worker.pid));
    await worker.until("its result", (found) => found.length > 0, "complete");
    await untilState(scene, "finished");
    const { tokens, unknown_calls: unknown } = await onlyWorker(scene);
    const counted = callsIn(Number(tokens));
    // Every call was counted to the token, or cut off, perhaps on its way to the server.
    const missing = scene.requests().length - counted.length;
    expect([missing, missing + 1]).toContain(Number(unknown));
    expect(Number(unknown)).toBeLessThanOrEqual(1);
    const sent = scene.answers().flatMap(({ answer }) => callsIn(allTokens(cli, answer)));
    expect(sent).toEqual(expect.arrayContaining(counted));
  });

  test.each(["agent", "worker"] as const)("is unknown of a call that the %s is killed in", async (victim) => {
    const used = (number: number) => ({ inputTokens: 16 * 2 ** number - 4, outputTokens: 4 });
    let isFirst = true;
    const hangOnce = (): Attempt => {
      const wasFirst = isFirst;
      isFirst = false;
      return wasFirst ? HANG : { ...say("Done."), ...used(1) };
    };
    const scene = await createRealScene({ turns: [{ ...run, ...used(0) }, hangOnce] });
    const worker = await spawnHeadless(scene, ...spawn, "say hello");
    await until("the request that gets no answer", () => scene.requests().length === 2);
    await untilCounted(scene, sentTokens(cli, scene));
    await killHard(victim === "worker" ? worker.pid : await agentOf(worker.pid));
    await worker.until("its result", (found) => found.length > 0, "complete");
    await untilState(scene, "finished");
    const { tokens, unknown_calls: unknown } = await onlyWorker(scene);
    expect([callsIn(Number(tokens)), unknown]).toEqual([[0, 1], 1]);
  });
});
