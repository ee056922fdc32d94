import { REQUEST_NAMES } from "@claw/contract";
import { expect, test } from "vitest";
import type { BusExtension } from "../bus/index.ts";
import { HANDLERS } from "../bus/requests/handlers.generated.ts";
import { startBus } from "../bus/testing/bus-harness.ts";
import { createLifetime } from "./process/lifetime.ts";
import { supervise } from "./supervision/supervise.ts";
import type { SuperviseOptions } from "./supervision/supervise-options.ts";

const OPTIONS: SuperviseOptions = {
  cwd: "/nowhere",
  folder: "/nowhere/.claws",
  socket: "/nowhere/.claws/claws.sock",
  env: {},
  umask: 0o022,
  bearerFor: () => null,
  doors: { open: () => Promise.reject(new Error("no worker is started here")), close: () => Promise.resolve() },
  rules: [],
  program: ["claw"],
  part: (name) => ["claw", name],
  lifetime: createLifetime(),
  perDay: {},
  touch: () => undefined,
  report: () => undefined,
};

test("the bus and the daemon answer every request of the contract, and no other", async () => {
  let extensions: readonly BusExtension[] = [];
  await startBus({ extend: (host) => (extensions = supervise(host, OPTIONS)) });
  const added = extensions.flatMap(({ requests = [] }) => requests.map(({ name }) => name));
  expect([...HANDLERS.keys(), ...added].map(String).toSorted()).toEqual([...REQUEST_NAMES].toSorted());
});
