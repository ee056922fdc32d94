import type { ReadRequest, ReplyFields } from "claw-contract";
import { ClawError, hasLifeEnded } from "claw-contract";
import type { BusHost, ConnectedPeer, RequestOutcome, RequestHandler, Refused } from "../../../bus/index.ts";
import { error, handlePeers, ok, storageCode, WRITE_FAILED } from "../../../bus/index.ts";
import { refuseEnded } from "../../worker-registry/ended-worker.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { CompletionMemory, Report } from "./completion-memory.ts";
import { hasChangedSince } from "./examine.ts";
import { completionOf, needsChecks } from "./completion-memory.ts";

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
  readonly registry: Pick<WorkerRegistry, "find">;
  readonly restarter: Restarter | undefined;
  readonly signal: AbortSignal;
}

type JudgeName = "worker.accept" | "worker.rework";

type Judged<Name extends JudgeName> = RequestOutcome<ReplyFields<Name>>;

interface Judging<Name extends JudgeName = JudgeName> {
  readonly host: BusHost;
  readonly peer: ConnectedPeer;
  readonly request: ReadRequest<Name>;
  readonly worker: RegisteredWorker;
  readonly report: Report | undefined;
}

const MOST_REASON_CHARS = 4000;

const notReported = (text: string): Refused => error(text, { code: "WORKER_NOT_REPORTED" });

const reportedBy = ({ worker: { peerId, name }, report }: Judging) => ({
  peerId,
  name,
  result: report?.result ?? null,
  summary: report?.summary ?? null,
});

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

function publishJudgement(
  { host, peer, worker, report }: Judging,
  kind: "accepted" | "rework",
  more: object,
): Promise<Error | undefined> {
  const { peerId } = worker;
  const payload = { peerId, sequence: report?.sequence, by: peer.id, ...more, ts: host.timestamp() };
  return new Promise((resolve) =>
    host.publish([{ topic: `system.worker.${kind}`, payload }], (outcome) =>
      resolve(outcome instanceof Error ? outcome : undefined),
    ),
  );
}

const notWritten = (failure: Error): Refused => error(WRITE_FAILED, storageCode(failure));

async function accept(
  judging: Judging<"worker.accept">,
  { signal, registry }: JudgeDeps,
): Promise<Judged<"worker.accept">> {
  const { request, worker, report } = judging;
  const { force: isForced, note } = request;
  if (report === undefined && hasLifeEnded(worker.life)) return refuseEnded(registry, worker);
  if (report === undefined || report.judged?.kind === "rework") {
    return notReported(`${worker.name} has reported nothing`);
  }
  const accepted = { ...reportedBy(judging), completion: "accepted" } as const;
  if (report.judged !== null) return ok({ ...accepted, noop: true, objections: [] });
  if (!isForced && (report.completed === null || needsChecks(report))) {
    return notReported(`the checks of ${worker.name} are still running`);
  }
  const found = await objections(report, signal);
  if (found.length > 0 && !isForced) {
    const text = `${worker.name} is in doubt: ${found.join(", ")}`;
    return error(text, { code: "CONFIRMATION_REQUIRED", details: { objections: found } });
  }
  const reason = note === undefined ? {} : { reason: note.slice(0, MOST_REASON_CHARS) };
  const more = { ...reason, ...(found.length > 0 ? { despite: found } : {}) };
  const failure = request.dryRun ? undefined : await publishJudgement(judging, "accepted", more);
  return failure === undefined ? ok({ ...accepted, noop: false, objections: found }) : notWritten(failure);
}

async function rework(
  judging: Judging<"worker.rework">,
  { host, restarter }: JudgeDeps,
): Promise<Judged<"worker.rework">> {
  const { request, worker, report } = judging;
  const reason = request.reason.slice(0, MOST_REASON_CHARS);
  // A worker that ended without a report has no work to send back, but can still be started anew with a reason.
  if (report === undefined && !hasLifeEnded(worker.life)) return notReported(`${worker.name} has reported nothing`);
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
  const result = ok({ ...reportedBy(judging), completion: "rework" as const, reason });
  if (request.dryRun) return result;
  const failure = await publishJudgement(judging, "rework", { reason });
  if (failure !== undefined) return notWritten(failure);
  try {
    await restarter.restart(worker.peerId, reason);
  } catch (problem) {
    if (problem instanceof ClawError) return error(problem.message, { code: problem.code });
    host.report(`${worker.name} was not sent back: ${String(problem)}`);
    return error(`${worker.name} did not start`, { code: "WORKER_FAILED" });
  }
  return result;
}

type Judge<Name extends JudgeName> = (judging: Judging<Name>, deps: JudgeDeps) => Promise<Judged<Name>>;

/** Makes the handler of a judgement. Judgements about one worker are made one after the other. */
const judging = <Name extends JudgeName>(name: Name, deps: JudgeDeps, judge: Judge<Name>): RequestHandler =>
  handlePeers(name, ({ peer, request }, done) => {
    const { host } = deps;
    const named = request.worker;
    const worker = deps.registry.find(named);
    if (worker === undefined) {
      return done(error(`there is no worker ${named.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" }));
    }
    const decide = async (release: () => void): Promise<void> => {
      let outcome: Judged<Name>;
      try {
        outcome = await judge({ host, peer, request, worker, report: deps.memory.get(worker.peerId) }, deps);
      } catch (problem) {
        outcome = error(`it was not judged: ${String(problem)}`);
      }
      release();
      done(outcome);
    };
    const taken = host.runInTurn(`judge ${worker.peerId}`, (release) => void decide(release));
    return taken ? undefined : done(error("admission-control:backlog"));
  });

export const judgeRequests = (deps: JudgeDeps): readonly RequestHandler[] => [
  judging("worker.accept", deps, accept),
  judging("worker.rework", deps, rework),
  handlePeers("worker.report", ({ request }, done) => {
    const worker = deps.registry.find(request.worker);
    const report = worker === undefined ? undefined : deps.memory.get(worker.peerId);
    if (worker === undefined) return done(error("there is no worker with that name", { code: "WORKER_NOT_FOUND" }));
    const completion = report === undefined ? null : completionOf(report);
    return done(ok({ peerId: worker.peerId, name: worker.name, completion, report: report ?? null }));
  }),
];
