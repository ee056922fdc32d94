import { setTimeout as delay } from "node:timers/promises";
import type { Observer } from "claw-client";
import type { VerbOutput } from "claw-contract";
import type { Screen } from "../runtime/screen.ts";
import { fitTable, workerTable } from "./worker-table.ts";

type Output = VerbOutput<"ps">;

export interface Watching {
  readonly bus: Pick<Observer, "subscribe">;
  readonly look: () => Promise<Output>;
  readonly openScreen: () => Promise<Screen>;
}

/** Topics whose events may change the table. */
const PATTERNS = ["worker.*.*", "system.worker.*", "system.approval.*", "system.peer.*"];
/** Interval of redrawing, because ages grow. */
const TICK_MS = 1000;
/** Changes of this time are shown together. */
const FRAME_MS = 100;

/** Wakes the waiting loop. A ring while the loop is busy counts for the next wait. */
function createBell(): { ring(): void; wait(): Promise<void> } {
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (wake = resolve));
  return {
    ring: () => wake(),
    wait: async () => {
      await next;
      next = new Promise((resolve) => (wake = resolve));
    },
  };
}

/**
 * Shows the workers in place until Ctrl-C or Esc, and returns the last answer shown. Rejects with the signal's reason.
 */
export async function watchWorkers({ bus, look, openScreen }: Watching, signal: AbortSignal): Promise<Output> {
  const bell = createBell();
  const state = { isChanged: false, isLeft: false, failure: undefined as unknown };
  const subscriptions = PATTERNS.map((pattern) => bus.subscribe(pattern));
  const listen = async (subscription: (typeof subscriptions)[number]): Promise<void> => {
    for await (const _ of subscription) {
      state.isChanged = true;
      bell.ring();
    }
  };
  const leave = (failure?: unknown): void => {
    Object.assign(state, { isLeft: true, failure });
    bell.ring();
  };
  const isOver = Promise.all(subscriptions.map(listen)).then(() => leave(), leave);
  await Promise.all(subscriptions.map((subscription) => subscription.ready()));
  let output = await look();
  const screen = await openScreen();
  const deaf = screen.watchInterrupt(() => leave());
  const ticks = setInterval(() => bell.ring(), TICK_MS);
  try {
    while (!state.isLeft && !screen.isGone()) {
      if (state.isChanged) {
        state.isChanged = false;
        output = await look();
      }
      const table = workerTable(output, screen.columns() - 1, Date.now());
      screen.panel(fitTable(table, output, screen.panelRows()));
      await delay(FRAME_MS);
      await bell.wait();
    }
  } finally {
    clearInterval(ticks);
    deaf();
    screen.panel(null);
    screen.close();
    for (const subscription of subscriptions) subscription.close();
    await isOver;
  }
  signal.throwIfAborted();
  if (state.failure !== undefined) throw state.failure;
  return output;
}
