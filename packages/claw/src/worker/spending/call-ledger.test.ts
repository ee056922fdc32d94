import { expect, test } from "vitest";
import type { CallTokens } from "../../harness/index.ts";
import type { LedgerEntry } from "./call-ledger.ts";
import { correctionOf, sumProcess } from "./call-ledger.ts";
import { unreportedOf } from "./settle-life.ts";

const tokens = (input: number, output = 0): CallTokens => ({
  input,
  output,
  cacheRead: 0,
  cacheWritten: 0,
  cacheHour: 0,
});
const call = (input: number, usd: number | null = 0.01): LedgerEntry => ({
  id: `c${input}`,
  life: "l1",
  kind: "call",
  model: "m",
  tokens: tokens(input),
  usd,
});

test("without a total of the agent, dollars are estimated call by call", () => {
  expect(sumProcess([call(100), call(200)], null, null)).toEqual({ tokens: tokens(300), usd: 0.02, isEstimate: true });
  expect(sumProcess([], null, null)).toEqual({ tokens: tokens(0), usd: 0, isEstimate: false });
});

test("the agent's own total replaces the estimate, up or down, and later calls are estimated on top", () => {
  for (const costUsd of [0.001, 5]) {
    const told = { tokens: tokens(300), costUsd };
    expect(sumProcess([call(100), call(200)], told, null)).toEqual({
      tokens: tokens(300),
      usd: costUsd,
      isEstimate: false,
    });
    const later = sumProcess([call(100), call(200), call(50)], told, null);
    expect(later).toEqual({ tokens: tokens(350), usd: expect.closeTo(costUsd + 0.01), isEstimate: true });
  }
});

test("a total counts calls that no file has told yet", () => {
  const told = { tokens: tokens(500, 20), costUsd: 0.5 };
  expect(sumProcess([call(100)], told, null)).toEqual({ tokens: tokens(500, 20), usd: 0.5, isEstimate: false });
});

test("a total that goes on from the process before counts once; one that begins anew after a crash counts whole", () => {
  const carried = { tokens: tokens(3000), costUsd: 0.3 };
  const goesOn = { tokens: tokens(4000), costUsd: 0.4 };
  expect(sumProcess([call(1000)], goesOn, carried)).toEqual({
    tokens: tokens(1000),
    usd: expect.closeTo(0.1),
    isEstimate: false,
  });
  const anew = { tokens: tokens(1000), costUsd: 0.1 };
  expect(sumProcess([call(1000)], anew, carried)).toEqual({ tokens: tokens(1000), usd: 0.1, isEstimate: false });
});

test("what a total differs by from its calls is an entry of its own, so that the ledger agrees with it", () => {
  const sum = sumProcess([call(100)], { tokens: tokens(150), costUsd: 0.004 }, null);
  const [entry] = correctionOf(sum, [call(100)], "l1");
  expect(entry).toMatchObject({ kind: "correction", life: "l1", tokens: tokens(50), usd: expect.closeTo(-0.006) });
  expect(correctionOf(sumProcess([call(100)], null, null), [call(100)], "l1")).toEqual([]);
});

test("what a life did not report are the last calls that it counted", () => {
  const calls = [call(100), call(200), call(300)];
  expect(unreportedOf(calls, 300).map(({ id }) => id)).toEqual(["c300"]);
  expect(unreportedOf(calls, 0)).toEqual(calls);
  expect(unreportedOf(calls, 700)).toEqual([]);
});
