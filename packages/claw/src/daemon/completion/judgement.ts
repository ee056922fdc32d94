import { ClawError } from "@claw/contract";
import type { BusHost, CommandResult, PeerHandler, PeerRequest } from "../../bus/index.ts";
import { error, handlePeers, ok, storageCode, textOf, WRITE_FAILED } from "../../bus/index.ts";
import { refuseEnded } from "../fleet/ended-worker.ts";
import type { Fleet, FleetWorker } from "../fleet/fleet.ts";
import type { CompletionMemory } from "./completion-memory.ts";
import { hasChangedSince } from "./examine.ts";
import type { Report } from "./report.ts";
import { completionOf, needsChecks } from "./report.ts";

/** Starts a worker anew. */
export interface Restarter {
  /** Resolves once the worker runs again; rejects when the worker cannot be started. */
  restart(peerId: string, reason: string): Promise<void>;
  /** Why a worker may spend no more; undefined when the worker may. */
  readonly overBudget?: (peerId: string) => string | undefined;
}

export interface JudgeDeps {
  readonly host: BusHost;
  readonly memory: CompletionMemory;
  readonly fleet: Pick<Fleet, "find">;
  readonly restarter: Restarter | undefined;
  readonly signal: AbortSignal;
}

type Done = (result: CommandResult) => void;

interface Judging {
  readonly host: BusHost;
  readonly call: PeerRequest;
  readonly worker: FleetWorker;
  readonly report: Report | undefined;
}

const MOST_REASON_CHARS = 4000;

const notReported = (text: string): CommandResult => error(text, { code: "WORKER_NOT_REPORTED" });

function answerOf({ worker, report }: Judging, more: Readonly<Record<string, unknown>>): CommandResult {
  const { peerId, name } = worker;
  return ok({ peerId, name, result: report?.result ?? null, summary: report?.summary ?? null, ...more });
}

/** Reasons against accepting a report as it is now. */
async function objections(report: Report, signal: AbortSignal): Promise<string[]> {
  const { result, completed, verified } = report;
  return [
    ...(result === "ok" ? [] : [`result_${result}`]),
    ...(completed?.doubts ?? []),
    ...(verified?.passed === false ? ["failed_checks"] : []),
    ...((await hasChangedSince(report, signal)) ? ["changed_since"] : []),
  ];
}

function store(
  { host, call, worker, report }: Judging,
  kind: "accepted" | "rework",
  more: object,
): Promise<Error | undefined> {
  const { peerId } = worker;
  const payload = { peerId, sequence: report?.sequence, by: call.peer.id, ...more, ts: host.timestamp() };
  return new Promise((resolve) =>
    host.publish([{ topic: `system.worker.${kind}`, payload }], (outcome) =>
      resolve(outcome instanceof Error ? outcome : undefined),
    ),
  );
}

const written = (failure: Error | undefined, result: CommandResult): CommandResult =>
  failure === undefined ? result : error(WRITE_FAILED, storageCode(failure));

async function accept(judging: Judging, { signal, fleet }: JudgeDeps): Promise<CommandResult> {
  const { call, worker, report } = judging;
  const { request } = call;
  const isForced = request["force"] === true;
  if (report === undefined && worker.ended) return refuseEnded(fleet, worker);
  if (report === undefined || report.judged?.kind === "rework") {
    return notReported(`${worker.name} has reported nothing`);
  }
  if (report.judged !== null) return answerOf(judging, { completion: "accepted", noop: true, objections: [] });
  if (!isForced && (report.completed === null || needsChecks(report))) {
    return notReported(`the checks of ${worker.name} are still running`);
  }
  const found = await objections(report, signal);
  if (found.length > 0 && !isForced) {
    const text = `${worker.name} is in doubt: ${found.join(", ")}`;
    return error(text, { code: "CONFIRMATION_REQUIRED", details: { objections: found } });
  }
  const note = textOf(request["note"])?.slice(0, MOST_REASON_CHARS);
  const more = { ...(note === undefined ? {} : { reason: note }), ...(found.length > 0 ? { despite: found } : {}) };
  const result = answerOf(judging, { completion: "accepted", noop: false, objections: found });
  return request["dryRun"] === true ? result : written(await store(judging, "accepted", more), result);
}

async function rework(judging: Judging, { host, restarter }: JudgeDeps): Promise<CommandResult> {
  const { call, worker, report } = judging;
  const reason = textOf(call.request["reason"])?.slice(0, MOST_REASON_CHARS);
  if (reason === undefined) return error("reason required");
  // A worker that ended without a report has no work to send back, but can still be started anew with a reason.
  if (report === undefined && !worker.ended) return notReported(`${worker.name} has reported nothing`);
  if (report?.judged?.kind === "accepted") {
    const hint = "Start another one with claw spawn.";
    return error(`${worker.name} was accepted`, { code: "WORKER_ENDED", hint });
  }
  if (report !== undefined && needsChecks(report)) return notReported(`the checks of ${worker.name} are still running`);
  if (restarter === undefined || worker.spawned === null) {
    const hint = "It was not started here: start it again where it runs.";
    return error(`${worker.name} cannot be started from here`, { code: "WORKER_ENDED", hint });
  }
  // A report that cannot be reworked for lack of budget can still be accepted.
  const refusal = restarter.overBudget?.(worker.peerId);
  if (refusal !== undefined) return error(refusal, { code: "BUDGET_EXCEEDED" });
  const result = answerOf(judging, { completion: "rework", reason });
  if (call.request["dryRun"] === true) return result;
  const failure = await store(judging, "rework", { reason });
  if (failure !== undefined) return written(failure, result);
  try {
    await restarter.restart(worker.peerId, reason);
  } catch (problem) {
    if (problem instanceof ClawError) return error(problem.message, { code: problem.code });
    host.report(`${worker.name} was not sent back: ${String(problem)}`);
    return error(`${worker.name} did not start`, { code: "WORKER_FAILED" });
  }
  return result;
}

/** Judgements about one worker are made one after the other. */
const judging = (deps: JudgeDeps, judge: (judging: Judging, deps: JudgeDeps) => Promise<CommandResult>): PeerHandler =>
  handlePeers(["orchestrator"], (call, done: Done) => {
    const { host } = deps;
    const named = textOf(call.request["worker"]) ?? "";
    const worker = deps.fleet.find(named);
    if (worker === undefined) {
      return done(error(`nobody works here as ${named.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    const decide = async (release: () => void): Promise<void> => {
      let result: CommandResult;
      try {
        result = await judge({ host, call, worker, report: deps.memory.get(worker.peerId) }, deps);
      } catch (problem) {
        result = error(`it was not judged: ${String(problem)}`);
      }
      release();
      done(result);
    };
    const taken = host.runInTurn(`judge ${worker.peerId}`, (release) => void decide(release));
    return taken ? undefined : done(error("admission-control:backlog"));
  });

export const judgeCommands = (deps: JudgeDeps): Record<string, PeerHandler> => ({
  "worker.accept": judging(deps, accept),
  "worker.rework": judging(deps, rework),
  "worker.report": handlePeers(["orchestrator", "observer"], ({ request }, done) => {
    const worker = deps.fleet.find(textOf(request["worker"]) ?? "");
    const report = worker === undefined ? undefined : deps.memory.get(worker.peerId);
    if (worker === undefined) return done(error("nobody works here under that name", { code: "WORKER_NOT_FOUND" }));
    const completion = report === undefined ? null : completionOf(report);
    return done(ok({ peerId: worker.peerId, name: worker.name, completion, report: report ?? null }));
  }),
});
