import { expect, test } from "vitest";
import { readRoute, routeHash, viewHash, workerHash } from "./route.ts";

test("a route and its address are the same", () => {
  const routes = [
    { view: "events", query: { topic: "worker.*.phase", text: "a&b=c" } },
    { view: "worker", peerId: "p_1/../x", tab: "checks", query: {} },
    { view: "needs", query: {} },
  ] as const;
  for (const route of routes) expect(readRoute(routeHash(route))).toEqual(route);
  expect([viewHash("needs"), workerHash("p 1")]).toEqual(["#/needs", "#/worker/p%201/transcript"]);
});

test.each(["", "#", "#/", "#/nowhere", "#/worker", "#/%zz"])("%j leads to the workers", (hash) => {
  expect(readRoute(hash)).toEqual({ view: "workers", query: {} });
});

test("an unknown tab is the transcript, and a broken escape stays as it is", () => {
  expect(readRoute("#/worker/%zz/dance")).toEqual({ view: "worker", peerId: "%zz", tab: "transcript", query: {} });
});
