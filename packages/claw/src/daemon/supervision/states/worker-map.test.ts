import { newWorker } from "@claw/contract";
import { expect, test } from "vitest";
import { createWorkerMap } from "./worker-map.ts";

test("a record that an older claw saved has everything that was added since", () => {
  const { unclear: _added, ...older } = newWorker("p_1", 7);
  const map = createWorkerMap();
  map.memory.load({ workers: [["p_1", older]], changes: [], aliases: [] });
  expect(map.get("p_1")).toEqual(newWorker("p_1", 7));
});
