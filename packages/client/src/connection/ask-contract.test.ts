import { expect, test } from "vitest";
import { createAskContract } from "./ask-contract.ts";
import { refusalError } from "./wire-error.ts";

const REPLIES: Readonly<Record<string, object>> = {
  peers: { ok: true, peers: [] },
  ping: { ok: true, serverTime: 5 },
  poll: { ok: true, events: "none" },
};

const ask = createAskContract({
  add: (cmd) => {
    const reply = REPLIES[cmd];
    return reply === undefined
      ? Promise.reject(refusalError("request", cmd, { ok: false, error: "no" }))
      : Promise.resolve(reply as { ok: true });
  },
});

test("the replies that come while their check is loaded are checked, and come in their order", async () => {
  const order: string[] = [];
  const asked = (["peers", "ping", "peers"] as const).map(async (name) => {
    const reply = await ask(name, {});
    order.push(name);
    return reply;
  });
  expect(await Promise.all(asked)).toEqual([REPLIES["peers"], REPLIES["ping"], REPLIES["peers"]]);
  expect(order).toEqual(["peers", "ping", "peers"]);
});

test("a reply with a field of another kind is refused, before and after the check is loaded", async () => {
  const misfit = { code: "BUS_INCOMPATIBLE", target: "poll", options: { details: { field: "events" } } };
  await expect(
    createAskContract({ add: () => Promise.resolve(REPLIES["poll"] as { ok: true }) })("poll", {}),
  ).rejects.toMatchObject(misfit);
  await expect(ask("poll", {})).rejects.toMatchObject(misfit);
});

test("a refusal needs no check", async () => {
  await expect(ask("list", {})).rejects.toMatchObject({ code: "BUS_REFUSED", target: "list" });
});
