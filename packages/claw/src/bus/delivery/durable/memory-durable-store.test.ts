import { describe } from "vitest";
import type { DurableRecord } from "./durable-store.ts";
import { durableStoreConformance } from "./durable-store.conformance.ts";
import { createMemoryDurableStore } from "./memory-durable-store.ts";

describe("durable subscriptions in memory", () => {
  durableStoreConformance(() => {
    const records = new Map<string, DurableRecord>();
    return { open: () => createMemoryDurableStore(records) };
  });
});
