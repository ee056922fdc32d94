import type { EventItem, Observer } from "@claw/client";
import type { VerbInput } from "@claw/contract";
import { ClawError } from "@claw/contract";
import type { Ports, VerbStream } from "./handle.ts";
import { handle } from "./handle.ts";
import { openObserver, requireDaemon } from "./open-bus.ts";

type Input = VerbInput<"stream-events">;

/** Topics that tell of a worker's end. */
const ENDINGS = "system.**";
const ENDING_TOPICS: ReadonlySet<string> = new Set(["system.worker.completed", "system.terminal.closed"]);

const now = (): string => new Date().toISOString();

/** A push frame as the sidecar printed it. */
const eventLine = ({ topic, from, payload, sequence }: EventItem): Record<string, unknown> => ({
  type: "event",
  push: "message",
  protocol: "claws/2",
  topic,
  from,
  payload,
  sequence,
  recvTs: now(),
});

/** Everything on one pattern, from now on, announced as the sidecar did. */
async function* streamAll(bus: Observer, ports: Ports): VerbStream<"stream-events"> {
  const topic = ports.env["CLAWS_TOPIC"] || "**";
  const { socket } = requireDaemon(ports);
  yield { type: "sidecar.connected", socket, role: "observer", ts: now() };
  yield { type: "sidecar.hello.ack", peerId: bus.peerId(), ts: now() };
  const subscription = bus.subscribe(topic);
  yield { type: "sidecar.subscribed", topic, ok: true, ts: now() };
  let count = 3;
  for await (const item of subscription) {
    if (item.kind !== "event") continue;
    yield eventLine(item);
    count += 1;
  }
  ports.signal.throwIfAborted();
  return { matched: false, lines_count: count };
}

const correlationOf = (payload: unknown): unknown =>
  typeof payload === "object" && payload !== null && "correlation_id" in payload ? payload.correlation_id : undefined;

function tooLate({ wait, timeoutMs }: Input): ClawError {
  return new ClawError("TIMEOUT", `no end of ${wait ?? ""} within ${timeoutMs} ms`, {
    operation: "wait",
    target: wait ?? "",
    hint: "Give it more time with --timeout-ms.",
  });
}

/** The first ending with that correlation id, also one that came before. */
async function* awaitEnding(bus: Observer, input: Input, { signal }: Ports): VerbStream<"stream-events"> {
  const subscription = bus.subscribe(ENDINGS, { from: "0000:0" });
  const timer = setTimeout(() => subscription.close(), input.timeoutMs);
  try {
    for await (const item of subscription) {
      if (item.kind !== "event" || !ENDING_TOPICS.has(item.topic) || correlationOf(item.payload) !== input.wait) {
        continue;
      }
      yield { topic: item.topic, payload: item.payload };
      return { matched: true, lines_count: 1 };
    }
  } finally {
    clearTimeout(timer);
  }
  signal.throwIfAborted();
  throw tooLate(input);
}

async function* run(input: Input, ports: Ports): VerbStream<"stream-events"> {
  const bus = await openObserver(ports);
  try {
    return yield* input.wait === undefined ? streamAll(bus, ports) : awaitEnding(bus, input, ports);
  } finally {
    await bus.close();
  }
}

export const handler = handle("stream-events", {
  run,
  // The sidecar's lines are JSON for people and programs alike.
  showItem: (line) => JSON.stringify(line),
  show: () => "",
});
