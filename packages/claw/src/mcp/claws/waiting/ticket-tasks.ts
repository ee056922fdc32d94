import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusSeat } from "../../../verbs/index.ts";
import { isBusAway, whileAway } from "../../../verbs/index.ts";
import type { Task, TaskCall, TaskStore } from "../../layer/tasks/task.ts";
import type { TicketData } from "../tools/outcome-data.ts";
import { readForm, showsForms } from "./approval-form.ts";
import { taskOfTicket } from "./task-of-ticket.ts";

/** How long a request about a task waits for a daemon that is away. */
const ASK_AWAY_MS = 2000;

/** Pause before a lost watch begins again. */
const WATCH_PAUSE_MS = 500;

/** Most tasks whose last state is remembered, and most answers of an update. */
const MAX_SEEN = 200;
const MAX_ANSWERS = 100;

const CHANGES = /^system\.(ticket|worker|approval)\./;

const UNKNOWN: ReadonlySet<string> = new Set(["TICKET_NOT_FOUND", "INVALID_FLAG_VALUE"]);
const isUnknown = (error: unknown): boolean => error instanceof ClawError && UNKNOWN.has(error.code);

/** Masks secrets in what a client is shown. */
type Mask = (data: JsonObject) => JsonObject;

export interface TicketTasksDeps {
  readonly seat: BusSeat;
  readonly mask: Mask;
  readonly now: () => number;
}

/** The tasks of a caller. The caller opens the tickets of the tasks on the bus. */
export interface OwnTasks extends TaskStore {
  /** The task of a ticket that was opened just now, as the daemon showed it then. */
  opened(taskId: string, view: TicketData, call: TaskCall): Task;
}

/** Tasks over the tickets of the daemon. The daemon binds each ticket to the peer that opened it. */
class TicketTasks implements OwnTasks {
  readonly #deps: TicketTasksDeps;
  /** What was shown last, by task: the answer while the daemon is away, and the hashes of the questions. */
  readonly #seen = new Map<string, TicketData>();

  constructor(deps: TicketTasksDeps) {
    this.#deps = deps;
  }

  async get(taskId: string, call: TaskCall): Promise<Task | undefined> {
    const view = await this.#show(taskId, call);
    return view === undefined ? undefined : this.#taskOf(taskId, view, call);
  }

  opened(taskId: string, view: TicketData, call: TaskCall): Task {
    this.#remember(taskId, view);
    return this.#taskOf(taskId, view, call);
  }

  async update(taskId: string, responses: JsonObject, call: TaskCall): Promise<boolean> {
    const shown = this.#seen.get(taskId);
    for (const [approvalId, response] of Object.entries(responses).slice(0, MAX_ANSWERS)) {
      const hash = shown?.approvals.find((approval) => approval.approvalId === approvalId)?.hash;
      const form = readForm(response);
      const bound = { handle: taskId, approvalId, ...(hash === undefined ? {} : { hash }) };
      const isKnown = await this.#ask(call, (bus) => bus.request("ticket.answer", { ...bound, ...form }));
      if (isKnown === undefined) return false;
    }
    return (await this.#show(taskId, call)) !== undefined;
  }

  async cancel(taskId: string, call: TaskCall): Promise<boolean> {
    return (await this.#ask(call, (bus) => bus.request("ticket.cancel", { handle: taskId }))) !== undefined;
  }

  watch(_taskId: string, call: TaskCall, changed: () => void): void {
    void this.#follow(call.signal, changed);
  }

  #taskOf(taskId: string, view: TicketData, { capabilities, caller }: TaskCall): Task {
    // Only an orchestrator may answer.
    const forms = showsForms(capabilities) && caller.role === "orchestrator";
    const sight = { nowMs: this.#deps.now(), forms };
    return this.#deps.mask({ ...taskOfTicket(taskId, view, sight) }) as unknown as Task;
  }

  async #show(taskId: string, call: TaskCall): Promise<TicketData | undefined> {
    try {
      const view = await this.#ask(call, (bus) => bus.request("ticket.show", { handle: taskId }));
      if (view !== undefined) this.#remember(taskId, view);
      return view;
    } catch (error) {
      const seen = this.#seen.get(taskId);
      // The task goes on while the daemon is away, and so does the client.
      if (seen === undefined || !isBusAway(error)) throw error;
      return seen;
    }
  }

  #remember(taskId: string, view: TicketData): void {
    this.#seen.delete(taskId);
    this.#seen.set(taskId, view);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Undefined when the daemon knows no such ticket of this caller. All requests about tickets are safe to repeat. */
  async #ask<T>(
    { signal }: TaskCall,
    request: (bus: Awaited<ReturnType<BusSeat["join"]>>) => Promise<T>,
  ): Promise<T | undefined> {
    const deadlineMs = Date.now() + ASK_AWAY_MS;
    try {
      return await whileAway({ signal, deadlineMs: () => deadlineMs }, async () => {
        const bus = await this.#deps.seat.join(signal);
        try {
          return await request(bus);
        } finally {
          await bus.close();
        }
      });
    } catch (error) {
      if (isUnknown(error)) return undefined;
      throw error;
    }
  }

  async #follow(signal: AbortSignal, changed: () => void): Promise<void> {
    while (!signal.aborted) {
      // After each loss of the bus, there may have been changes in between.
      await this.#followOnce(signal, changed).catch(() => undefined);
      await delay(WATCH_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #followOnce(signal: AbortSignal, changed: () => void): Promise<void> {
    const bus = await this.#deps.seat.join(signal);
    const subscription = bus.subscribe("system.*.*");
    await subscription.ready();
    changed();
    for await (const item of subscription) {
      if (item.kind === "event" && CHANGES.test(item.topic)) changed();
    }
  }
}

export const createTicketTasks = (deps: TicketTasksDeps): OwnTasks => new TicketTasks(deps);
