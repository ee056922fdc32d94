import * as fc from "fast-check";
import { expect, test } from "vitest";
import { modelCommands, startModel } from "../../packages/claw/src/bus/testing/model/model-commands.ts";
import { createSocketWorld } from "../reliability/socket-world.ts";
import { effort } from "./effort.ts";
import { createWorkspace } from "./workspace.ts";

/** A run takes seconds; many of them are for `npm run soak`. */
const RUNS = effort(2, 20);

test("whatever clients do on real sockets, a daemon that is killed meanwhile does what the model of the bus does", async () => {
  const property = fc.asyncProperty(modelCommands({ inProcess: false, maxCommands: 80 }), async (commands) => {
    const world = await createSocketWorld(createWorkspace().cwd);
    try {
      await fc.asyncModelRun(() => startModel(world), commands);
    } finally {
      await world.close();
    }
  });
  await expect(fc.assert(property, { numRuns: RUNS })).resolves.toBeUndefined();
});
