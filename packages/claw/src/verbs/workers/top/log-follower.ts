import type { Orchestrator } from "claw-client";
import type { ReplyFields, WorkerView } from "claw-contract";
import { textRows, transcriptRows } from "./page-rows.ts";
import type { TopStage } from "./run-top.ts";
import { failureText } from "./top-acts.ts";
import { logPage } from "./top-pages.ts";

type Items = ReplyFields<"worker.transcript">["items"];

/** Items that are shown; `claw logs` shows all. */
const SHOWN_ITEMS = 500;

/** Shows logs of workers, which go on while they are shown. */
export interface LogFollower {
  open(worker: WorkerView): Promise<void>;
  /** Adds what the worker has done since, if its log is shown. */
  goOn(): void;
}

class Follower implements LogFollower {
  readonly #bus: Pick<Orchestrator, "request">;
  readonly #stage: TopStage;
  #worker: WorkerView | null = null;
  #items: Items = [];
  /** Where the transcript goes on; null for the screen of a terminal. */
  #next: number | null = 0;
  #isReading = false;

  constructor(bus: Pick<Orchestrator, "request">, stage: TopStage) {
    this.#bus = bus;
    this.#stage = stage;
  }

  async open(worker: WorkerView): Promise<void> {
    const { source, items, next } = await this.#bus.request("worker.transcript", {
      worker: worker.peer_id,
      limit: SHOWN_ITEMS,
    });
    this.#worker = worker;
    this.#items = items;
    this.#next = source === "none" ? null : next;
    if (source === "transcript") return this.#show();
    if (worker.terminal_id === null) {
      return this.#stage.set({
        message: `${worker.name} keeps no transcript; claw logs ${worker.name} shows its events`,
      });
    }
    return this.#showTerminal(worker, worker.terminal_id);
  }

  goOn(): void {
    const shown = this.#stage.state().page?.logOf;
    if (this.#isReading || this.#worker === null || shown !== this.#worker.peer_id) return;
    this.#isReading = true;
    void this.#readOn(this.#worker);
  }

  async #readOn(worker: WorkerView): Promise<void> {
    try {
      if (this.#next !== null) await this.#readMore(worker, this.#next);
      else if (worker.terminal_id !== null) await this.#showTerminal(worker, worker.terminal_id);
    } catch (error) {
      this.#stage.set({ message: failureText(error) });
    }
    this.#isReading = false;
  }

  async #readMore({ peer_id: id }: WorkerView, after: number): Promise<void> {
    const { items, next } = await this.#bus.request("worker.transcript", { worker: id, after });
    this.#next = next;
    if (items.length === 0 || this.#worker?.peer_id !== id) return;
    this.#items = [...this.#items, ...items].slice(-SHOWN_ITEMS);
    if (this.#stage.state().page?.logOf === id) this.#show();
  }

  async #showTerminal(worker: WorkerView, terminalId: string): Promise<void> {
    const { lines } = await this.#bus.request("terminal.screen", { terminalId });
    if (this.#worker !== worker) return;
    this.#page(worker, (columns) => textRows(lines.join("\n"), columns));
  }

  #show(): void {
    const items = this.#items;
    if (this.#worker !== null) this.#page(this.#worker, (columns) => transcriptRows(items, columns));
  }

  /** A reader who has moved up stays where the reader is. */
  #page(worker: WorkerView, make: Parameters<typeof logPage>[1]): void {
    const { page } = this.#stage.state();
    const place = page?.logOf === worker.peer_id ? { from: page.from, follows: page.follows } : {};
    this.#stage.set({ page: { ...logPage(worker, make), ...place } });
  }
}

export const createLogFollower = (bus: Pick<Orchestrator, "request">, stage: TopStage): LogFollower =>
  new Follower(bus, stage);
