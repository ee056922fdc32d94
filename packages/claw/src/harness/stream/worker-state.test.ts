import type { EventFact, WorkerRecord } from "claw-contract";
import { LIMITS, newWorker, reduceWorker } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRunReader } from "./create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import type { RunItem } from "./run-reader.ts";
import type { Recording } from "../testing/recordings.ts";
import { RECORDINGS } from "../testing/recordings.ts";
import { BEGIN, createWorkerFacts, WORKER } from "../testing/worker-facts.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SILENCES_MS = [0, SECOND, LIMITS.staleMs - SECOND, LIMITS.staleMs + 1, 6 * MINUTE, 24 * 60 * MINUTE, 1e12];

const itemsOf = ({ harness, bytes }: Pick<Recording, "harness" | "bytes">): readonly RunItem[] =>
  createRunReader(HARNESSES[harness]).push(bytes);

const takeAll = (worker: WorkerRecord, facts: readonly EventFact[]): WorkerRecord =>
  facts.reduce<WorkerRecord>(reduceWorker, worker);

const lastAt = (worker: WorkerRecord): number => worker.lastSeen ?? BEGIN;

const look = (worker: WorkerRecord, at: number): WorkerRecord =>
  reduceWorker(worker, { kind: "clock", at, listeningSince: BEGIN, lastFrame: null });

interface Cut {
  readonly worker: WorkerRecord;
  /** What the agent had said until then. */
  readonly items: readonly RunItem[];
  readonly facts: ReturnType<typeof createWorkerFacts>;
}

/** A worker after everything its agent said up to each place where the stream could have been cut. */
function* cuts(items: readonly RunItem[], mode: "headless" | "interactive"): Generator<Cut> {
  const facts = createWorkerFacts(mode);
  let worker = takeAll(newWorker(WORKER, BEGIN), facts.begin());
  yield { worker, items: [], facts };
  for (const [index, item] of items.entries()) {
    worker = takeAll(worker, facts.take(item));
    yield { worker, items: items.slice(0, index + 1), facts };
  }
}

const kindsOf = (items: readonly RunItem[]): string[] =>
  items.flatMap(({ updates }) => updates.map(({ kind }) => kind));

/** What may be said of somebody who has not reported; needs_input only of one who asked. */
const statesAtWork = (items: readonly RunItem[]): string[] => {
  const states = ["starting", "working", "rate_limited", "stale", "hung"];
  return kindsOf(items).includes("request") ? [...states, "needs_input"] : states;
};

describe("recorded streams, cut anywhere", () => {
  test.for(RECORDINGS)("$name: silence is never taken for an end, nor for having nothing to do", (recording) => {
    for (const { worker, items } of cuts(itemsOf(recording), "headless")) {
      for (const silenceMs of SILENCES_MS) {
        const { state, reason } = look(worker, lastAt(worker) + silenceMs).verdict;
        expect(statesAtWork(items)).toContain(state);
        expect(reason.endsWith("nothing is heard of it")).toBe(silenceMs > LIMITS.staleMs);
      }
    }
  });

  test.for(RECORDINGS)("$name: whoever lives and says no more is hung in the end", (recording) => {
    for (const { worker, items } of cuts(itemsOf(recording), "headless")) {
      if (worker.parked !== null || kindsOf(items).includes("request")) continue;
      const at = lastAt(worker) + LIMITS.hungToolMs + 1;
      expect(look({ ...worker, lastSeen: at }, at).verdict).toMatchObject({ state: "hung", source: "clock" });
    }
  });

  test.for(RECORDINGS)("$name: a process that dies before it reported has failed", (recording) => {
    for (const { worker, facts } of cuts(itemsOf(recording), "headless")) {
      expect(takeAll(worker, [facts.crash()]).verdict).toMatchObject({ state: "failed", source: "process" });
    }
  });

  test.for(RECORDINGS)("$name: the end is what was reported, and nothing takes it back", (recording) => {
    const { worker, facts } = [...cuts(itemsOf(recording), "headless")].at(-1) as Cut;
    for (const [result, state] of [
      ["ok", "finished"],
      ["failed", "failed"],
    ] as const) {
      const ended = takeAll(worker, [facts.complete(result), facts.beat(), facts.crash()]);
      expect(look(ended, BEGIN + 1e12).verdict).toMatchObject({ state, source: "self", reason: "the end" });
    }
  });

  test.for(RECORDINGS)("$name: a prompt waits only when a turn has ended", (recording) => {
    for (const { worker, items } of cuts(itemsOf(recording), "interactive")) {
      if (kindsOf(items).includes("turn-end")) break;
      expect(worker.prompt).toBeNull();
      expect(look(worker, lastAt(worker) + MINUTE).prompt).toBeNull();
    }
  });
});

test("a stream that is cut within a line ends nobody", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RECORDINGS),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(1e9),
      (recording, place, silenceMs) => {
        const bytes = recording.bytes.slice(0, Math.floor(place * recording.bytes.length));
        const items = itemsOf({ harness: recording.harness, bytes });
        const { worker } = [...cuts(items, "headless")].at(-1) as Cut;
        expect(statesAtWork(items)).toContain(look(worker, lastAt(worker) + silenceMs).verdict.state);
      },
    ),
    { numRuns: 300 },
  );
});
