import { join } from "node:path";
import { sizeOf } from "./effort.ts";
import { say } from "../test/model-server/model-scenario.ts";
import { startModelServer } from "../test/model-server/model-server.ts";
import type { Contenders } from "./agent/contenders.ts";
import { prepareContenders } from "./agent/contenders.ts";
import type { TimedServer } from "./agent/server.ts";
import { startTimedServer } from "./agent/server.ts";
import { interleave, median } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

const ROUNDS = sizeOf(15, 1);
const LONG_ROUNDS = sizeOf(5, 1);
const LAST_TURN = sizeOf(200, 6);
/** How many gaps near a turn are looked at, so that one hiccup does not decide. */
const WINDOW = 5;
const SCRIPT_UNIT = "× the plain script";

/** How long a contender takes from its start until it asks the model. */
async function untilAsked(run: () => Promise<unknown>, server: TimedServer): Promise<number> {
  server.expect(0);
  const startedAt = performance.now();
  await run();
  return (server.times()[0]?.askedAt ?? Number.NaN) - startedAt;
}

async function firstRequestRows(contenders: Contenders, server: TimedServer, progress: Progress): Promise<Row[]> {
  const waits = { script: [] as number[], claw: [] as number[] };
  progress(`measuring the first request, ${ROUNDS} rounds`);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? (["script", "claw"] as const) : (["claw", "script"] as const)) {
      const wait = await untilAsked(() => contenders[name](), server);
      if (round >= 0) waits[name].push(wait);
    }
  }
  return [
    row("plain script, start to first request", median(waits.script), "ms"),
    row("claw -p, start to first request", median(waits.claw), "ms"),
    row("claw -p, start to first request", median(waits.claw) / median(waits.script), SCRIPT_UNIT, { atMost: 1.35 }),
  ];
}

/** Time from the end of each answer to the next request. */
async function gapsOf(run: () => Promise<unknown>, server: TimedServer): Promise<number[]> {
  server.expect(LAST_TURN);
  await run();
  const times = server.times();
  return times.slice(1).map(({ askedAt }, index) => askedAt - (times[index]?.answeredAt ?? Number.NaN));
}

async function overheadRows(contenders: Contenders, server: TimedServer, progress: Progress): Promise<Row[]> {
  const first: Record<string, number[]> = { script: [], claw: [] };
  const last: Record<string, number[]> = { script: [], claw: [] };
  for (let round = 0; round < LONG_ROUNDS; round += 1) {
    progress(`measuring ${LAST_TURN} turns, round ${round + 1} of ${LONG_ROUNDS}`);
    for (const name of ["script", "claw"] as const) {
      const gaps = await gapsOf(() => contenders[name](), server);
      first[name]?.push(...gaps.slice(0, WINDOW));
      last[name]?.push(...gaps.slice(-WINDOW));
    }
  }
  const over = (gaps: Record<string, number[]>): number => median(gaps["claw"] ?? []) - median(gaps["script"] ?? []);
  return [
    row("claw -p, overhead of a turn at turn 1", over(first), "ms", { atMost: 15 }),
    row(`claw -p, overhead of a turn at turn ${LAST_TURN}`, over(last), "ms", { atMost: 15 }),
  ];
}

async function wholeRunRows(contenders: Contenders, server: TimedServer, progress: Progress): Promise<Row[]> {
  const { codex } = contenders;
  if (codex === undefined) return [];
  server.expect(0);
  const timings = await interleave({ codex, claw: () => contenders.claw() }, ROUNDS, progress);
  return [
    row("codex exec, a whole text run", median(timings.codex), "ms"),
    row("claw -p, a whole text run", median(timings.claw), "ms"),
    row("claw -p, a whole text run", median(timings.claw) / median(timings.codex), "× codex exec", { atMost: 0.75 }),
  ];
}

const BULK_COMMAND = "head -c 50000000 /dev/zero | tr '\\0' x";

async function memoryRows(folder: string, contenders: Contenders, server: TimedServer): Promise<Row[]> {
  server.expect(0);
  await contenders.claw();
  const text = contenders.peakMegabytes();
  const bulk = await bulkPeak(folder);
  return [
    row("claw -p, peak memory of a text run", text, "MB", { atMost: 150 }),
    row("claw -p, peak memory with a tool output of 50 MB", bulk, "MB", { atMost: 150 }),
  ];
}

/** The same with a model that asks for a command with much output. */
async function bulkPeak(folder: string): Promise<number> {
  const turns = [
    { kind: "answer" as const, blocks: [{ kind: "tool" as const, name: "bash", input: { command: BULK_COMMAND } }] },
    say("That was a lot."),
  ];
  const server = await startModelServer({ scenarios: { bulk: { turns } } });
  try {
    const url = server.baseUrl("bulk", folder);
    const own = await prepareContenders(join(folder, "bulk"), url, url);
    await own.claw("--permission-mode", "danger-full-access");
    return own.peakMegabytes();
  } finally {
    await server.close();
  }
}

/** Our own agent against the least that asking a model can cost. */
export function agent(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    const server = await startTimedServer();
    const codexServer = await startModelServer({ scenarios: { text: { turns: [say("The answer is 42.")] } } });
    try {
      const contenders = await prepareContenders(folder, server.url, codexServer.baseUrl("text", folder));
      return [
        ...(await firstRequestRows(contenders, server, progress)),
        ...(await overheadRows(contenders, server, progress)),
        ...(await wholeRunRows(contenders, server, progress)),
        ...(await memoryRows(folder, contenders, server)),
      ];
    } finally {
      await server.close();
      await codexServer.close();
    }
  });
}
