import { describe } from "vitest";
import { logConformance } from "./log.conformance.ts";
import { createMemoryLog } from "./memory-log.ts";

describe("a log in memory", () => {
  logConformance(() => ({ open: createMemoryLog }));
});
