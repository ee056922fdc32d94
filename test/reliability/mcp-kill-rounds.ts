import { setTimeout } from "node:timers/promises";
import type { FakeScenarioText } from "claw-contract/schemas";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { killHard, readLog } from "../e2e/daemon-process.ts";
import type { Lead } from "../e2e/mcp-lead.ts";
import { connectLead, dataOf, startAgain, startLedDaemon } from "../e2e/mcp-lead.ts";
import type { Workspace } from "../e2e/workspace.ts";
import type { Random } from "./random.ts";
import { createRandom } from "./random.ts";

/** An agent that works as many seconds as its prompt says. */
const SLEEPER: FakeScenarioText = {
  steps: [
    { type: "tool", name: "Bash", input: { command: "sleep {{prompt}}" }, runs: "sleep {{prompt}}" },
    { type: "text", text: "I slept {{prompt}} s." },
  ],
};

/** Moments are chosen below these. */
const WORK_MS = 700;
const KILL_MS = 900;
const AWAY_MS = 250;
const HOLD_MS = 600;

/** One run of a lead over workers, with the daemon killed meanwhile. */
export interface KillRound {
  /** How the lead waits. */
  readonly way: "task" | "cursor";
  /** Seconds each worker works. */
  readonly seconds: readonly string[];
  /** Pauses before each kill, and before the start after it, in milliseconds. */
  readonly kills: readonly (readonly [killMs: number, awayMs: number])[];
  readonly holdSeconds: number;
}

const planRound = (random: Random): KillRound => ({
  way: random.pick(["task", "cursor"] as const),
  seconds: Array.from({ length: 1 + random.below(2) }, () => (random.below(WORK_MS) / 1000).toFixed(3)),
  kills: Array.from({ length: 1 + random.below(2) }, () => [random.below(KILL_MS), random.below(AWAY_MS)] as const),
  holdSeconds: random.below(HOLD_MS) / 1000,
});

/** Kills the daemon, and starts it again, as the round says. Resolves with the daemon that runs then. */
async function kill(workspace: Workspace, daemon: number, { kills }: KillRound): Promise<number> {
  let pid = daemon;
  for (const [killMs, awayMs] of kills) {
    await setTimeout(killMs);
    await killHard(pid);
    await setTimeout(awayMs);
    pid = await startAgain(workspace);
  }
  return pid;
}

const runInput = ({ seconds }: KillRound): Frame => ({
  workers: seconds.map((mission) => ({ mission })),
  harness: "claude-code",
});

/** What the lead got: the last data, and the sequences of the news it was told. */
interface Got {
  readonly data: Frame;
  readonly told: readonly number[];
}

/** The data of a tool. Throws the error that the tool answered with. */
async function ask(lead: Lead, name: string, input: Frame): Promise<Frame> {
  const result = await lead.call(name, input);
  const data = dataOf(result);
  if (data["error"] !== undefined) throw new Error(JSON.stringify(data["error"]));
  return result;
}

async function leadByTask(lead: Lead, round: KillRound): Promise<Got> {
  const { taskId } = await ask(lead, "claws_run", runInput(round));
  const task = await until("the task to be completed", async () => {
    const { result, error } = await lead.raw("tasks/get", { taskId });
    if (error !== undefined) throw new Error(`tasks/get: ${error.message}`);
    return result?.["status"] === "completed" ? result : undefined;
  });
  return { data: dataOf(task["result"] as Frame), told: [] };
}

const sequencesIn = (digest: unknown): number[] =>
  [...String(digest).matchAll(/^#(\d+) /gm)].map(([, sequence]) => Number(sequence));

async function leadByCursor(lead: Lead, round: KillRound): Promise<Got> {
  const wait_seconds = round.holdSeconds;
  let data = dataOf(await ask(lead, "claws_run", { ...runInput(round), wait_seconds }));
  const told = sequencesIn(data["digest"]);
  const workers = (data["workers"] as Frame[]).map(({ id }) => id);
  while (data["status"] === "working") {
    data = dataOf(await ask(lead, "claws_wait", { workers, cursor: data["cursor"], wait_seconds }));
    told.push(...sequencesIn(data["digest"]));
  }
  return { data, told };
}

const NEWS = /^system\.(worker\.(spawned|state|completed|verified|accepted|rework|alert|removed)|approval\.)/;

/** The events that are news of these workers, up to a place of the log. */
function newsIn(workspace: Workspace, ids: readonly unknown[], through: number): number[] {
  const isNews = ({ topic, payload }: Frame): boolean => {
    const { peerId, state, previous } = payload as Frame;
    return NEWS.test(String(topic)) && ids.includes(peerId) && (state === undefined || state !== previous);
  };
  const events = readLog(workspace).filter((event) => isNews(event) && Number(event["sequence"]) <= through);
  return events.map(({ sequence }) => Number(sequence));
}

const countOf = (workspace: Workspace, topic: string, fits: (payload: Frame) => boolean = () => true): number =>
  readLog(workspace).filter((event) => event["topic"] === topic && fits(event["payload"] as Frame)).length;

/**
 * The end of a worker's summary. A worker whose start was cut off is started again, with a notice before its prompt: then
 * the last line of its text, which is the summary, begins with the prompt.
 */
const summaryIn = ({ summary }: Frame): string => String(summary).replace(/^I slept /, "");

/** What a round lost or repeated; empty when all is well. */
function lossesOf(workspace: Workspace, round: KillRound, { data, told }: Got, before: Counts): string[] {
  const workers = data["workers"] as Frame[];
  const ids = workers.map(({ id }) => id);
  const wanted = round.seconds.map((seconds) => `${seconds} s.`);
  const after = countsIn(workspace);
  const isTask = round.way === "task";
  const expected = isTask ? [] : newsIn(workspace, ids, Number(String(data["cursor"]).split(":")[1]));
  const facts: [string, unknown, unknown][] = [
    ["status", data["status"], "done"],
    ["summaries", workers.map(summaryIn), wanted],
    ["first starts", after.starts - before.starts, wanted.length],
    ["tickets opened", after.opened - before.opened, isTask ? 1 : 0],
    ["tickets closed", after.closed - before.closed, isTask ? 1 : 0],
    ["news", told, expected],
  ];
  return facts
    .filter(([, got, meant]) => JSON.stringify(got) !== JSON.stringify(meant))
    .map(([what, got, meant]) => `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(meant)}`);
}

interface Counts {
  readonly starts: number;
  readonly opened: number;
  readonly closed: number;
}

const countsIn = (workspace: Workspace): Counts => ({
  starts: countOf(workspace, "system.worker.spawned", ({ attempt }) => attempt === 1),
  opened: countOf(workspace, "system.ticket.opened"),
  closed: countOf(workspace, "system.ticket.closed"),
});

/**
 * Leads workers over MCP through rounds of kills, one after another on one log, by clients that stay. Resolves with what
 * went wrong, by round.
 */
export async function runKillRounds(workspace: Workspace, seed: number, rounds: number): Promise<string[]> {
  const random = createRandom(seed);
  let daemon = await startLedDaemon(workspace, SLEEPER);
  const leads = { task: await connectLead(workspace, { tasks: true }), cursor: await connectLead(workspace) };
  await Promise.all([leads.task.call("claws_workers"), leads.cursor.call("claws_workers")]);
  const losses: string[] = [];
  for (let index = 0; index < rounds; index += 1) {
    const round = planRound(random);
    const before = countsIn(workspace);
    const killing = kill(workspace, daemon, round);
    const lead = round.way === "task" ? leadByTask : leadByCursor;
    const [got, next] = await Promise.all([
      lead(leads[round.way], round).catch((error: unknown) => String(error)),
      killing,
    ]);
    daemon = next;
    const wrong = typeof got === "string" ? [got] : lossesOf(workspace, round, got, before);
    if (wrong.length > 0) losses.push(`round ${index} ${JSON.stringify(round)}: ${wrong.join("; ")}`);
  }
  return losses;
}
