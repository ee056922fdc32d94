import type { Phase, WorkerSignalName } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { RunBatch, RunItem, RunProgress } from "../../harness/index.ts";
import { walkTo, tell } from "../worker-life.ts";
import type { LifeParts } from "../worker-life.ts";
import type { SpendingVoice } from "../spending/spending-voice.ts";
import { createSpendingVoice } from "../spending/spending-voice.ts";
import type { TouchedFiles } from "../report/work-report.ts";
import { createTouchedFiles } from "../report/work-report.ts";

type Update = RunItem["updates"][number];

/** Reports an agent's actions to the bus, based on the agent's stream. */
export interface StreamReporter {
  take(batch: RunBatch, progress: RunProgress): void;
  /** A run began. `resume` is the session it continues. */
  runBegan(resume: string | null): void;
  /** A run is over. Its usage is kept, and the next run is counted separately. */
  runEnded(progress: RunProgress): void;
  readonly spending: SpendingVoice;
  readonly files: TouchedFiles;
  toolCalls(): number;
}

/** Updates that are published as LOG events; other updates only show in heartbeats. */
const LOGGED: ReadonlySet<Update["kind"]> = new Set(["retry", "permission-denied", "notice", "warning"]);

function headline(update: Update): string {
  if (update.kind === "retry") return `trying again: ${update.reason}`;
  if (update.kind === "permission-denied") return `not permitted: ${update.tool}`;
  return update.kind === "notice" || update.kind === "warning" ? update.text : "";
}

const HEADLINE_CHARS = 1000;
/** Updates that mean work, as opposed to startup. */
const WORK: ReadonlySet<Update["kind"]> = new Set(["text", "text-delta", "thinking", "tool-call", "request"]);

class AgentReporter implements StreamReporter {
  readonly files: TouchedFiles;
  readonly spending: SpendingVoice;
  readonly #life: LifeParts;
  readonly #calls = new Map<string, string>();
  #toolCalls = 0;
  #activeAt = -Infinity;
  #permissionMode: string | null = null;

  constructor(life: LifeParts) {
    this.#life = life;
    this.files = createTouchedFiles(life.job.cwd);
    this.spending = createSpendingVoice(life);
  }

  toolCalls(): number {
    return this.#toolCalls;
  }

  runBegan(resume: string | null): void {
    this.spending.processBegan(resume);
  }

  runEnded(progress: RunProgress): void {
    this.#report(progress);
    this.spending.processEnded();
  }

  take({ items }: RunBatch, progress: RunProgress): void {
    if (items.length > 0) this.#walk("DEPLOY", "the agent speaks");
    for (const { updates } of items) for (const update of updates) this.#takeUpdate(update, progress.activity);
    this.#report(progress);
    this.spending.hear(items.map(({ native }) => native));
    const isOtherMode = progress.permissionMode !== this.#permissionMode;
    this.#permissionMode = progress.permissionMode;
    const { worker } = this.#life;
    if (isOtherMode && worker.status() === "open") tell(this.#life, "heartbeat", worker.beat());
  }

  /** Sets the fields of the next heartbeat. */
  #report({ activity, model, permissionMode }: RunProgress): void {
    if (model !== null) this.spending.model(model);
    this.#life.worker.report({
      total_tool_calls: this.#toolCalls,
      ...(activity === null ? {} : { current_action: activity }),
      ...(permissionMode === null ? {} : { permission_mode: permissionMode }),
    });
  }

  #takeUpdate(update: Update, activity: string | null): void {
    this.files.take(update);
    if (WORK.has(update.kind)) this.#walk("OBSERVE", "the agent is at work");
    if (update.kind === "tool-call" || update.kind === "tool-result") return this.#takeCall(update, activity);
    if (update.kind === "turn-started") return this.#signal("turn_started");
    if (update.kind === "turn-end") return this.#signal("turn_ended");
    if (LOGGED.has(update.kind)) return this.#sayAloud(update);
    const isQuiet = this.#life.now() - this.#activeAt >= LIMITS.workerActivityMs;
    return isQuiet ? this.#signal("activity", activity ?? update.kind) : undefined;
  }

  #takeCall(update: Update & { readonly kind: "tool-call" | "tool-result" }, activity: string | null): void {
    if (update.kind === "tool-call") {
      this.#toolCalls += 1;
      this.#calls.set(update.id, update.name);
      // `activity` may already describe a later update of the same batch.
      return this.#signal("tool_started", activity?.startsWith(update.name) === true ? activity : update.name);
    }
    const name = this.#calls.get(update.id) ?? "tool";
    this.#calls.delete(update.id);
    return this.#signal("tool_ended", update.failed ? `${name} failed` : name);
  }

  #sayAloud(update: Update): void {
    const message = headline(update).slice(0, HEADLINE_CHARS);
    const severity = update.kind === "notice" ? "info" : "warn";
    if (message !== "") tell(this.#life, "event", this.#life.worker.event("LOG", message, { severity }));
  }

  #signal(name: WorkerSignalName, detail?: string): void {
    const more = detail === undefined ? {} : { detail };
    this.#activeAt = this.#life.now();
    tell(this.#life, `signal ${name}`, this.#life.worker.signal(name, { source: "stream", ...more }));
  }

  #walk(to: Phase, reason: string): void {
    walkTo(this.#life.worker, to, reason, (error) => this.#life.log(`phase ${to} was refused: ${String(error)}`));
  }
}

export const createStreamReporter = (life: LifeParts): StreamReporter => new AgentReporter(life);
