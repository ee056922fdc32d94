import { describe } from "vitest";
import { logConformance, sharedLogConformance } from "./log.conformance.ts";
import { createMemoryLog, createMemoryStream } from "./memory-log.ts";

describe("a log in memory", () => {
  logConformance(() => ({ open: createMemoryLog }));
});

describe("a stream in memory that several logs share", () => {
  sharedLogConformance(() => {
    const stream = createMemoryStream();
    let machines = 0;
    return { open: (number) => stream.open(`m${(machines += 1)}`, number) };
  });
});
