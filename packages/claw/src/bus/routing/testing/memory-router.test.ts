import { describe } from "vitest";
import { createMemoryRoutes } from "./memory-router.ts";
import { routerConformance } from "../router.conformance.ts";

describe("a router in memory", () => {
  let routes = createMemoryRoutes();
  routerConformance({
    open: (...machines) => {
      routes = createMemoryRoutes();
      return Promise.resolve(machines.map((machine) => routes.open(machine)));
    },
    kill: (machine) => Promise.resolve(routes.cut(machine)),
  });
});
