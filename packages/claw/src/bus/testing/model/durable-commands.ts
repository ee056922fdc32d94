import * as fc from "fast-check";
import { ACK_WAIT_MS, MAX_IN_FLIGHT } from "./bus-model.ts";
import { command, cursorAt, DURABLES, linkOf, place, placeIn, SLOTS } from "./model-command.ts";
import { agree, ask } from "./model-world.ts";

export const attach = fc
  .tuple(fc.constantFrom(...SLOTS), fc.constantFrom("one" as const, "two" as const), place)
  .map(([slot, name, percent]) =>
    command(
      `attach(${slot}, ${name}, ${percent})`,
      (model) => model.clients.get(slot)?.congested === false,
      async (model, reality) => {
        const from = placeIn(model, percent);
        const topic = DURABLES[name];
        // Where time cannot be set, nothing must be sent again because it passed.
        const ackWaitMs = reality.world.advance === undefined ? Number.MAX_SAFE_INTEGER : ACK_WAIT_MS;
        const settings = { durable: name, ackWaitMs, maxInFlight: MAX_IN_FLIGHT };
        const link = linkOf(model, reality, slot);
        const reply = await ask(reality, link, { cmd: "subscribe", topic, ...settings, ...cursorAt(from) });
        model.attach(slot, name, String(reply["subscriptionId"]), { pattern: topic, from });
        const ackedCursor = `0001:${model.durables.get(name)?.acked}`;
        agree(reply, { ok: true, durable: name, ackedCursor });
      },
    ),
  );

export const acknowledge = fc
  .tuple(fc.constantFrom("one" as const, "two" as const), fc.integer({ min: 0, max: 100 }))
  .map(([name, percent]) =>
    command(
      `ack(${name}, ${percent})`,
      ({ durables }) => durables.get(name)?.reader !== undefined,
      async (model, reality) => {
        const { slot, id } = model.durables.get(name)?.reader?.stream ?? { slot: 0, id: "" };
        const sequence = placeIn(model, percent) ?? 0;
        const link = linkOf(model, reality, slot);
        const reply = await ask(reality, link, { cmd: "ack", subscriptionId: id, cursor: `0001:${sequence}` });
        model.ack(name, sequence);
        agree(reply, { ok: true, ackedCursor: `0001:${model.durables.get(name)?.acked}` });
      },
    ),
  );
