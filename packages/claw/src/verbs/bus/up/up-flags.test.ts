import { expect, test } from "vitest";
import type { DaemonRecord } from "../../../daemon/index.ts";
import { differences } from "./up-flags.ts";

const RECORD: DaemonRecord = {
  pid: 7,
  started: null,
  boot: null,
  host: "here",
  socket: "/w/.claws/claws.sock",
  http: "http://127.0.0.1:4000",
  token: null,
  durability: "strict",
  policy: "compat",
  started_at: "2026-01-01T00:00:00.000Z",
  flags: { policy: "compat", http: "127.0.0.1:0", budgetUsd: 5 },
};

test("a call that asks for what the daemon does, or for nothing, differs in nothing", () => {
  const same = { policy: "compat", durability: "strict", rateLimit: 10_000, budgetUsd: 5, socket: RECORD.socket };
  expect(differences({}, RECORD)).toEqual([]);
  expect(differences({ ...same, http: "127.0.0.1:0" }, RECORD)).toEqual([]);
  expect(differences({ http: "127.0.0.1:4000" }, RECORD)).toEqual([]);
});

test("what differs is named with what the daemon has", () => {
  expect(differences({ policy: "strict", tee: true, budgetUsdPerDay: 1, rateLimit: 5 }, RECORD)).toEqual([
    "--policy strict (it has compat)",
    "--tee (it runs without it)",
    "--budget-usd-per-day 1 (it runs without it)",
    "--rate-limit 5 (it has 10000)",
  ]);
});

test("of a daemon of an older version, what it wrote down is compared", () => {
  const { flags: _none, ...older } = RECORD;
  expect(differences({ policy: "compat" }, older)).toEqual([]);
  expect(differences({ policy: "strict" }, older)).toEqual(["--policy strict (it has compat)"]);
});
