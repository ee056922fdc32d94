import { expect, test } from "vitest";
import { createAskContract } from "./ask-contract.ts";
import type { Link } from "./link.ts";
import { loadChecks } from "./load-checks.ts";
import type { Requests } from "./requests.ts";
import { createRequests } from "./requests.ts";
import { closedError, refusalError } from "./wire-error.ts";

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

/** Requests on a link that answers each with its time, and what was sent over the link. */
function createLinked(): { requests: Requests; sent: string[] } {
  const sent: string[] = [];
  const requests = createRequests();
  const call: Link["call"] = (command, done) => {
    sent.push(command);
    done({ ok: true, serverTime: 5 });
    return true;
  };
  requests.attach({ call } as Link);
  return { requests, sent };
}

test("when the checks cannot be loaded, nothing is sent, and a later request loads them again", async () => {
  const { requests, sent } = createLinked();
  const loads: (() => Promise<never>)[] = [() => Promise.reject(new Error("offline"))];
  const asking = createAskContract(requests, () => loads.pop()?.() ?? loadChecks());
  await expect(asking("ping", {})).rejects.toThrow("offline");
  expect(sent).toEqual([]);
  await expect(asking("ping", {})).resolves.toMatchObject({ serverTime: 5 });
  expect(sent).toHaveLength(1);
});

test("a request is sent as it was when the client was asked", async () => {
  const { requests, sent } = createLinked();
  const fields = { text: "before" };
  const asked = createAskContract(requests)("ping", fields);
  fields.text = "after";
  await asked;
  expect(sent).toEqual([expect.stringContaining("before")]);
});

test("a client that ends while the checks are loaded sends nothing, and rejects with its end", async () => {
  const requests = createRequests();
  const asked = createAskContract(requests, () => new Promise(() => undefined))("ping", {});
  requests.fail(closedError("close", "main"));
  await expect(asked).rejects.toMatchObject({ code: "BUS_CLOSED" });
});
