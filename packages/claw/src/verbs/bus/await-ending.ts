import type { EventItem, NoticeItem, Observer, Subscription } from "claw-client";
import type { VerbInput, VerbItem } from "claw-contract";
import { ClawError, OLDEST } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";

type Input = VerbInput<"stream-events">;
type Line = VerbItem<"stream-events">;

/** Topics that tell of a worker's end. */
const ENDINGS: ReadonlySet<string> = new Set(["system.worker.completed", "system.terminal.closed"]);

const LONGEST_MS = 2 ** 31 - 1;

function fieldOf({ payload, data }: EventItem, ...names: readonly string[]): unknown {
  for (const holder of [payload, data]) {
    if (typeof holder !== "object" || holder === null) continue;
    for (const name of names) {
      if (Object.hasOwn(holder, name)) return (holder as Readonly<Record<string, unknown>>)[name];
    }
  }
  return undefined;
}

/**
 * Closes the subscription when the time is over. Waits longer while stored events are still unread, or while the
 * terminal of `--keep-alive-on` has recently shown a sign of life.
 */
function createPatience({ timeoutMs, rearmCycle = timeoutMs, staleThreshold }: Input, subscription: Subscription) {
  let lastSignMs = -Infinity;
  let caughtUp = false;
  let over = false;
  let timer: NodeJS.Timeout;
  const look = (): void => {
    over = Date.now() - lastSignMs > staleThreshold;
    if (!over) timer = setTimeout(look, Math.min(rearmCycle, LONGEST_MS));
    else if (caughtUp) subscription.close();
  };
  timer = setTimeout(look, Math.min(timeoutMs, LONGEST_MS));
  return {
    signOfLife: (atMs: number): void => {
      lastSignMs = Math.max(lastSignMs, atMs);
    },
    caughtUp: (): void => {
      caughtUp = true;
      if (over) look();
    },
    end: (): void => clearTimeout(timer),
  };
}

function tooLate({ wait = "", timeoutMs }: Input): ClawError {
  return new ClawError("TIMEOUT", `the worker of ${wait} did not end within ${timeoutMs} ms`, {
    operation: "wait",
    target: wait,
    hint: "Allow more time with --timeout-ms, or wait as long as the worker's terminal lives with --keep-alive-on TERMINAL.",
  });
}

/** Whether the bus says that a terminal lives. */
const isAlive = ({ topic }: NoticeItem, terminalId: string | undefined): boolean =>
  topic === `system.terminal.${terminalId ?? ""}.alive`;

/** Writes the sidecar's debug lines when CLAWS_DEBUG is set. */
function createDebug({ env, announce }: Ports): (what: string, fields?: Readonly<Record<string, unknown>>) => void {
  const on = ["1", "true"].includes(env["CLAWS_DEBUG"] ?? "");
  return (what, fields) => {
    if (on) announce(JSON.stringify({ type: "sidecar.debug", what, ...fields, ts: new Date().toISOString() }));
  };
}

/** Waits for the first ending with the given correlation id. An ending that is already stored counts, too. */
export async function* awaitEnding(bus: Observer, input: Input, ports: Ports): AsyncGenerator<Line, void, void> {
  const { wait, keepAliveOn } = input;
  const subscription = bus.subscribe(keepAliveOn === undefined ? "system.*.*" : "**", { from: OLDEST });
  const patience = createPatience(input, subscription);
  const debug = createDebug(ports);
  ports.announce(`Waiting for the end of ${wait}; Ctrl-C ends it.`);
  debug("subscribed", { from: OLDEST });
  try {
    for await (const item of subscription) {
      if (item.kind === "caught-up") patience.caughtUp();
      debug(item.kind, { cursor: subscription.cursor(), ...(item.kind === "event" ? { topic: item.topic } : {}) });
      if (item.kind === "notice" && isAlive(item, keepAliveOn)) patience.signOfLife(item.sentAtMs);
      if (item.kind !== "event") continue;
      if (ENDINGS.has(item.topic) && fieldOf(item, "correlation_id") === wait) {
        return yield { topic: item.topic, payload: item.payload };
      }
      if (keepAliveOn === undefined) continue;
      if (fieldOf(item, "terminal_id", "terminalId") === keepAliveOn) patience.signOfLife(item.storedAtMs);
    }
  } finally {
    patience.end();
  }
  ports.signal.throwIfAborted();
  throw tooLate(input);
}
