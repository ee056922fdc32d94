import type { Redactor } from "claw-contract";
import { createRedactor, environmentSecrets, LIMITS } from "claw-contract";
import type { BusExtension, BusHost } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { Lifetime } from "../../process/keep-running.ts";
import type { ReportState } from "../../workers/worktrees/worktree-keeper.ts";
import type { CompletionMemory, Report } from "./completion-memory.ts";
import { createCompletionMemory, completionOf, needsChecks } from "./completion-memory.ts";
import { examine, runChecks } from "./examine.ts";
import type { Restarter } from "./judgement.ts";
import { judgeRequests } from "./judgement.ts";

export interface CompletionOptions {
  readonly registry: Pick<WorkerRegistry, "find">;
  readonly env: NodeJS.ProcessEnv;
  readonly lifetime: Pick<Lifetime, "signal" | "hold">;
  /** Without a restarter, no worker is sent back. */
  readonly restarter?: Restarter;
  readonly checkMs?: number;
  readonly memory?: CompletionMemory;
}

/** The reports of workers and their judgements. */
export interface CompletionExtension {
  readonly extension: BusExtension;
  /** Undefined before the worker has reported. */
  of(
    peerId: string,
  ): { readonly completion: ReturnType<typeof completionOf>; readonly doubts: readonly string[] } | undefined;
  /** The worker's last report; undefined before the first. */
  readonly report: (peerId: string) => Report | undefined;
  /** How far the report of a worker has been examined. */
  reportState(peerId: string): ReportState;
}

/** Wait after a failed write to the log. */
const VERDICT_RETRY_MS = 1000;

interface Work extends CompletionOptions {
  readonly host: BusHost;
  readonly redactor: Redactor;
}

/** The next event about a report. Rejects only when the daemon ends. */
async function nextEvent(work: Work, report: Report): Promise<[topic: string, payload: Record<string, unknown>]> {
  const { host, env, redactor, lifetime, checkMs } = work;
  const { peerId, sequence, result, summary } = report;
  if (report.completed === null) {
    const examined = await examine(report, lifetime.signal);
    const completed = { peerId, sequence, result, summary, ...examined, ts: host.timestamp() };
    return ["system.worker.completed", completed];
  }
  const timeout = checkMs === undefined ? {} : { timeoutMs: checkMs };
  const checks = await runChecks(report, { env, redactor, ...timeout }, lifetime.signal);
  const passed = checks.every((check) => check.passed);
  return ["system.worker.verified", { peerId, sequence, passed, checks, ts: host.timestamp() }];
}

const isUnfinished = (report: Report): boolean => report.completed === null || needsChecks(report);

/** Examines reports, a few at a time, until every event about the reports is stored. */
class Examiner {
  readonly #work: Work;
  readonly #memory: CompletionMemory;
  /** Workers whose reports are being examined. */
  readonly #busy = new Set<string>();
  #retryAt = Infinity;

  constructor(work: Work, memory: CompletionMemory) {
    this.#work = work;
    this.#memory = memory;
  }

  settle(): void {
    if (this.#work.lifetime.signal.aborted || this.#retryAt !== Infinity) return;
    for (const report of this.#memory.all()) {
      if (this.#busy.size >= LIMITS.checksAtOnce) return;
      const { peerId } = report;
      if (this.#busy.has(peerId) || !this.#work.host.isHere(peerId) || !isUnfinished(report)) continue;
      this.#busy.add(peerId);
      this.#work.lifetime.hold(this.#doOne(report));
    }
  }

  /** Tries failed work again. Returns the time of the next attempt. */
  retry(): number {
    if (this.#retryAt > this.#work.host.now()) return this.#retryAt;
    this.#retryAt = Infinity;
    this.settle();
    return this.#retryAt;
  }

  async #doOne(report: Report): Promise<void> {
    const { host, lifetime } = this.#work;
    try {
      const [topic, payload] = await nextEvent(this.#work, report);
      await new Promise<void>((resolve, reject) =>
        host.publish([{ topic, payload }], (outcome) => (outcome instanceof Error ? reject(outcome) : resolve())),
      );
    } catch (problem) {
      if (!lifetime.signal.aborted) host.report(`${report.peerId} was not looked at: ${String(problem)}`);
      this.#retryAt = host.now() + VERDICT_RETRY_MS;
    }
    this.#busy.delete(report.peerId);
    this.settle();
  }
}

/** Whether a report's worktree is still needed. */
function reportStateOf(report: Report | undefined): ReportState {
  if (report === undefined || report.judged?.kind === "accepted") return "settled";
  if (isUnfinished(report) || report.judged !== null) return "open";
  return report.artifacts.length > 0 ? "handed_over" : "settled";
}

/** Examines workers' reports, runs their checks, and lets people judge. */
export function createCompletion(host: BusHost, options: CompletionOptions): CompletionExtension {
  const { lifetime, registry, restarter, env, memory = createCompletionMemory() } = options;
  const redactor = createRedactor({ secrets: environmentSecrets(env) });
  const examiner = new Examiner({ ...options, host, redactor }, memory);
  const sendBack = ({ peerId, judged }: Report): void => {
    if (judged?.kind !== "rework" || restarter === undefined || !host.isHere(peerId)) return;
    const failed = (problem: unknown): void => host.report(`${peerId} was not sent back: ${String(problem)}`);
    lifetime.hold(restarter.restart(peerId, judged.reason ?? "").catch(failed));
  };
  return {
    extension: {
      name: "completion",
      memory: memory.projection,
      requests: judgeRequests({ host, memory, registry, restarter, signal: lifetime.signal }),
      reactsTo: ["worker.*.complete"],
      react: () => examiner.settle(),
      start: () => {
        examiner.settle();
        memory.all().forEach(sendBack);
      },
      checkDue: () => examiner.retry(),
    },
    of: (peerId) => {
      const report = memory.get(peerId);
      return report && { completion: completionOf(report), doubts: report.completed?.doubts ?? [] };
    },
    report: (peerId) => memory.get(peerId),
    reportState: (peerId) => reportStateOf(memory.get(peerId)),
  };
}
