import type { EventItem, Orchestrator } from "@claw/client";
import type { ErrorCode, VerbInput, VerbOutput } from "@claw/contract";
import { ClawError, fieldsOf, shellQuote } from "@claw/contract";
import type { Ports } from "./handle.ts";
import { handle } from "./handle.ts";
import { openOrchestrator, requireDaemon } from "./open-bus.ts";
import { dialogsOf, settleDialogs } from "./first-start/settle-dialogs.ts";
import { readSpawnOrder, wouldAffect } from "./spawn-order.ts";
import type { Paint } from "./paint.ts";
import { pairs, plural } from "./text-layout.ts";

type Input = VerbInput<"spawn">;
type Output = VerbOutput<"spawn">;
type Fields = Readonly<Record<string, unknown>>;

interface Progress {
  readonly state: Output["state"];
  readonly result: string | null;
  readonly summary: string | null;
  readonly terminal_id: string | null;
  readonly changes: Output["changes"];
}

const STARTING: Progress = { state: "starting", result: null, summary: null, terminal_id: null, changes: null };

const numberIn = (fields: Fields, name: string): number => Number(fields[name] ?? 0) || 0;

/** What a worker's report says of its worktree. */
function changesIn(report: Fields): Output["changes"] {
  const { diff, commits } = report;
  if (typeof diff !== "object" || diff === null || !Array.isArray(commits)) return null;
  const lines = diff as Fields;
  return {
    files: numberIn(lines, "files"),
    insertions: numberIn(lines, "insertions"),
    deletions: numberIn(lines, "deletions"),
    commits: commits.length,
    uncommitted: numberIn(report, "uncommitted"),
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** How far an event says that the worker is; undefined when it says nothing of that. */
function progressOf({ topic, data }: EventItem, peerId: string): Progress | undefined {
  const fields = (typeof data === "object" && data !== null ? data : {}) as Fields;
  if (topic === `worker.${peerId}.boot`) {
    return { ...STARTING, state: "working", terminal_id: textOf(fields["terminal_id"]) || null };
  }
  if (topic === `worker.${peerId}.complete`) {
    const result = textOf(fields["result"]);
    const state = result === "failed" ? "failed" : result === "cancelled" ? "aborted" : "finished";
    return { ...STARTING, state, result, summary: textOf(fields["summary"]), changes: changesIn(fields) };
  }
  if (topic === `worker.${peerId}.event` && fields["severity"] === "fatal") {
    return { ...STARTING, state: "failed", result: "failed", summary: textOf(fields["message"]) };
  }
  if (fields["peerId"] !== peerId) return undefined;
  if (topic === "system.worker.state" && fields["state"] === "aborted") {
    return { ...STARTING, state: "aborted", summary: textOf(fields["reason"]) };
  }
  // A process that ended unexpectedly may be started anew: what is done about it comes as an alert.
  const isOver = topic === "system.worker.terminated" && fields["expected"] !== false;
  return isOver ? { ...STARTING, state: "gone" } : undefined;
}

/** Whether a worker has no process and waits for what is done about that. */
function isCrashedAfter({ topic, data }: EventItem, peerId: string, before: boolean): boolean {
  const fields = fieldsOf(data);
  if (fields["peerId"] !== peerId) return before;
  return topic === "system.worker.terminated" || (before && topic !== "system.worker.spawned");
}

/** Whether only a person can start it again. */
const isGivenUp = ({ topic, data }: EventItem, peerId: string): boolean =>
  topic === "system.worker.alert" && fieldsOf(data)["peerId"] === peerId && fieldsOf(data)["action"] === "alert";

/** Whoever waited in vain is told whom for: the worker goes on. */
function stopped({ signal }: Ports, peerId: string): ClawError {
  const why = signal.reason instanceof ClawError ? signal.reason : undefined;
  return new ClawError(why?.code ?? "BUS_UNREACHABLE", why?.message ?? "the bus ended before the worker was there", {
    operation: "spawn",
    target: peerId,
    hint: `The worker goes on. Look at it: claw ps, claw events --topic 'worker.${peerId}.**'.`,
    details: { ...why?.options.details, peer_id: peerId },
  });
}

/** Whether the server says that a worker was stopped because a limit was reached. */
const isStopped = ({ topic, from, data }: EventItem, peerId: string): boolean => {
  const { stopped } = (typeof data === "object" && data !== null ? data : {}) as Fields;
  return topic === "system.budget.exceeded" && from === "server" && Array.isArray(stopped) && stopped.includes(peerId);
};

/** How far the worker came, and whether a limit stopped it. */
async function follow(bus: Orchestrator, peerId: string, { wait, from }: { wait: Input["wait"]; from: string }) {
  let [overBudget, crashed] = [false, false];
  for await (const item of bus.subscribe("**", { from })) {
    if (item.kind !== "event") continue;
    overBudget ||= isStopped(item, peerId);
    crashed = isCrashedAfter(item, peerId, crashed);
    const lost = crashed && isGivenUp(item, peerId) ? { ...STARTING, state: "gone" as const } : undefined;
    const progress = lost ?? progressOf(item, peerId);
    if (progress === undefined || (wait === "complete" && progress.state === "working")) continue;
    return { progress, overBudget };
  }
  return undefined;
}

/** Where the work of a worker is that did not come to its end; without a worktree the error's own hint holds. */
function hintOf({ name, worktree }: Output): { hint?: string } {
  if (worktree === null) return {};
  const worker = shellQuote(name);
  return { hint: `See why: claw logs ${worker}; what it changed in ${worktree.path}: claw diff ${worker}` };
}

/** Why a worker that somebody waited for did not end well: a limit stopped it, it was aborted, or it failed. */
function failureOf({ state, result }: Output, overBudget: boolean): ErrorCode | null {
  if (overBudget && result !== "ok") return "BUDGET_EXCEEDED";
  if (state === "aborted") return "WORKER_ABORTED";
  return state === "failed" || state === "gone" ? "WORKER_FAILED" : null;
}

/** When `--wait` is given, a worker that fails, is aborted or is stopped by a limit makes `spawn` fail too. */
function requireFine(output: Output, overBudget: boolean): Output {
  const code = failureOf(output, overBudget);
  if (code === null) return output;
  throw new ClawError(code, output.summary ?? "the worker's process ended before its work was done", {
    operation: "spawn",
    target: output.peer_id,
    partial: output,
    details: { peer_id: output.peer_id },
    ...hintOf(output),
  });
}

/** Joins the bus. Goes on once it was greeted: there is time until it answers, which the caller has better use for. */
async function greet(ports: Ports): Promise<() => Promise<Orchestrator>> {
  const joining = Promise.resolve(ports).then(openOrchestrator);
  joining.catch(() => undefined);
  await new Promise(setImmediate);
  return () => joining;
}

/** What the daemon is asked to start. What the agent would ask at its first start is settled before. */
async function prepare(input: Input, ports: Ports): ReturnType<typeof readSpawnOrder> {
  const order = await readSpawnOrder(input, ports);
  const env = { ...ports.env, ...(fieldsOf(order["env"]) as Readonly<Record<string, string>>) };
  if (input.interactive) await settleDialogs(dialogsOf(order.harness, { cwd: ports.cwd, env }), input, ports);
  return order;
}

async function spawn(input: Input, ports: Ports): Promise<Output> {
  const joined = await greet(ports);
  const order = await prepare(input, ports).catch(async (error: unknown) => {
    // What is wrong with the order counts more than what is with the bus.
    await joined().then(
      (bus) => bus.close(),
      () => undefined,
    );
    throw error;
  });
  const bus = await joined();
  try {
    const { cursor: from = "0000:0" } = await bus.ready();
    const reply = await bus.request("worker.spawn", order);
    const peerId = String(reply["peerId"]);
    const started = { progress: STARTING, overBudget: false };
    const followed = input.wait === "none" ? started : await follow(bus, peerId, { wait: input.wait, from });
    if (followed === undefined) throw stopped(ports, peerId);
    const output: Output = {
      peer_id: peerId,
      name: String(reply["name"]),
      pid: Number(reply["pid"]),
      harness: order.harness,
      ...followed.progress,
      worktree: (reply["worktree"] ?? null) as Output["worktree"],
      folder: String(reply["folder"]),
      effect: "created",
    };
    return requireFine(output, followed.overBudget);
  } finally {
    await bus.close();
  }
}

function preview(input: Input, harness: Output["harness"], ports: Ports): Output {
  requireDaemon(ports);
  const would_affect = wouldAffect(ports, input);
  const nothing = { peer_id: "", pid: 0, harness, worktree: null, folder: would_affect[0] ?? "" };
  return { ...nothing, name: input.name ?? "", ...STARTING, effect: "would_create", would_affect };
}

/** What a worker that has ended left in its worktree, and what can be done with it. */
function changedRows({ name, worktree, changes }: Output, paint: Paint): (readonly [string, string])[] {
  if (worktree === null || changes === null) return [];
  const { files, insertions, deletions, commits, uncommitted } = changes;
  if (files + commits + uncommitted === 0) return [["changed", "nothing"]];
  const parts = [
    `${plural(files, "file")} (+${insertions} -${deletions})`,
    ...(commits === 0 ? [] : [`${plural(commits, "commit")} on ${worktree.branch}`]),
    ...(uncommitted === 0 ? [] : [`${plural(uncommitted, "file")} not committed`]),
  ];
  const worker = shellQuote(name);
  const merge = `claw merge ${worker}${uncommitted === 0 ? "" : " --commit"}`;
  return [
    ["changed", parts.join(", ")],
    ["look, take", `${paint.cyan(`claw diff ${worker}`)}, ${paint.cyan(merge)}`],
  ];
}

const isOver = ({ state }: Output): boolean => state !== "starting" && state !== "working";

export const handler = handle("spawn", {
  run: async (input, ports) => {
    if (!input.dryRun) return spawn(input, ports);
    const { harness } = await readSpawnOrder(input, ports);
    return preview(input, harness, ports);
  },
  show: (worker, paint) => {
    if (worker.effect === "would_create") return `Would start a worker that runs ${worker.harness}.`;
    const { name, peer_id: id, worktree, summary } = worker;
    return pairs(
      [
        ["worker", `${paint.bold(name)} ${paint.dim(`(${id}, process ${worker.pid})`)}`],
        ["agent", worker.harness],
        ["state", worker.state === "finished" ? paint.green(worker.state) : worker.state],
        ...(summary === null ? [] : [["summary", summary] as const]),
        ...(worktree === null ? [] : [["worktree", `${worktree.path} on ${worktree.branch}`] as const]),
        ...changedRows(worker, paint),
        ...(worker.terminal_id === null ? [] : [["join in", paint.cyan(`claw attach ${name}`)] as const]),
        ["see all", paint.cyan("claw ps")],
        ["its log", paint.cyan(`claw logs ${isOver(worker) ? "" : "--follow "}${name}`)],
      ],
      paint,
    );
  },
});
