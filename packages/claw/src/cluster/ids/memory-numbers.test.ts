import { describe } from "vitest";
import { createMemoryBucket } from "../testing/memory-bucket.ts";
import { numberConformance } from "./number-source.conformance.ts";

describe("numbers of a cluster in memory", () => {
  numberConformance({
    open: (count) => {
      const bucket = createMemoryBucket();
      return Promise.resolve(Array.from({ length: count }, () => bucket));
    },
  });
});
