import * as fc from "fast-check";
import { onTestFinished } from "vitest";
import { unsyncedFileSystem } from "../../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { EventLog } from "../../log/index.ts";
import { createMemoryLog, openSegmentLog } from "../../log/index.ts";
import { createMemoryWorld } from "./memory-world.ts";
import { modelCommands, startModel } from "./model-commands.ts";

type OpenLog = (before: EventLog | undefined) => EventLog;

const inMemory = (): OpenLog => (before) => before ?? createMemoryLog();

/** Segments so small that hardly two events share one. */
const onDisk = (): OpenLog => {
  const directory = temporaryFolder(onTestFinished);
  return () =>
    openSegmentLog(unsyncedFileSystem, {
      directory,
      durability: "strict",
      segmentBytes: 500,
      retainBytes: Infinity,
      retainMs: Infinity,
    });
};

/** A failure that takes long to be made smaller is told as it is by then. */
const LIMIT_MS = 100_000;

export const MODEL_LOGS = { "in memory": inMemory, "on disk": onDisk };

/** Lets clients do anything, so many times, and fails where the bus does not do what its model does. */
export async function runModel(where: keyof typeof MODEL_LOGS, numRuns: number): Promise<void> {
  let latest = Promise.resolve();
  const property = fc.asyncProperty(modelCommands({ inProcess: true, maxCommands: 150 }), (commands) => {
    latest = (async () => {
      const world = await createMemoryWorld(MODEL_LOGS[where]());
      await fc.asyncModelRun(() => startModel(world), commands);
      await world.close();
    })();
    return latest;
  });
  try {
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: LIMIT_MS });
  } finally {
    // One that the limit interrupted still goes on, in a folder that is about to be removed.
    await Promise.allSettled([latest]);
  }
}
