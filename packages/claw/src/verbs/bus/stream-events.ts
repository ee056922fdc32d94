import type { Observer } from "claw-client";
import type { VerbInput, VerbItem } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { awaitEnding } from "./await-ending.ts";
import type { Sidecar } from "./sidecar.ts";
import { joinAsSidecar, readSidecar, sidecarLines } from "./sidecar.ts";
import { endlessAnswer } from "./ask-bus.ts";

type Input = VerbInput<"stream-events">;
type Line = VerbItem<"stream-events">;

/** Joins the bus. On failure, yields a line with the error first, as the sidecar did. */
async function* join(sidecar: Sidecar, ports: Ports): AsyncGenerator<Line, Observer, void> {
  try {
    return await joinAsSidecar(sidecar, ports);
  } catch (error) {
    if (!sidecar.waits && error instanceof ClawError && !ports.signal.aborted) {
      yield { type: "sidecar.error", error: error.message };
    }
    throw error;
  }
}

async function* streamLines(input: Input, ports: Ports): AsyncGenerator<Line, void, void> {
  const sidecar = readSidecar(input, ports);
  const bus = yield* join(sidecar, ports);
  try {
    yield* input.wait === undefined ? sidecarLines(bus, sidecar, ports) : awaitEnding(bus, input, ports);
  } finally {
    await bus.close();
  }
}

async function* run(input: Input, ports: Ports): VerbStream<"stream-events"> {
  if (input.wait === undefined && !ports.streaming) throw endlessAnswer("stream-events", ", or --wait CORRELATION_ID");
  const lines: Line[] = [];
  let count = 0;
  for await (const line of streamLines(input, ports)) {
    count += 1;
    if (ports.streaming) yield line;
    else lines.push(line);
  }
  return { matched: input.wait !== undefined, lines, lines_count: count };
}

export const handler = handle("stream-events", {
  run,
  // The sidecar's lines are JSON for people and programs alike.
  showItem: (line) => JSON.stringify(line),
  show: () => "",
});
