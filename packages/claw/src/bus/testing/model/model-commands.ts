import * as fc from "fast-check";
import { ACK_WAIT_MS, BusModel } from "./bus-model.ts";
import { acknowledge, attach } from "./durable-commands.ts";
import { publish, publishUnread, subscribe, subscribeAmid, unsubscribe } from "./event-commands.ts";
import type { Command } from "./model-command.ts";
import { CAPABILITIES, command, isHere, linkOf, NAMED_SLOT, received, SLOTS } from "./model-command.ts";
import type { Reality, World } from "./model-world.ts";
import { agree, ask, compare, createReality } from "./model-world.ts";

async function sayHello(model: BusModel, reality: Reality, slot: number): Promise<void> {
  const link = await reality.world.connect();
  const connection = reality.links.push(link) - 1;
  const identity = slot === NAMED_SLOT ? { instanceNonce: "named" } : { resumeToken: reality.tokens.get(slot) };
  const who = { role: "orchestrator", peerName: `client ${slot}`, capabilities: CAPABILITIES, ...identity };
  const reply = await ask(reality, link, { cmd: "hello", protocol: "claws/2", ...who });
  agree(reply, { ok: true });
  reality.tokens.set(slot, reply["resumeToken"]);
  model.join(slot, String(reply["peerId"]), connection);
}

const connect = fc.constantFrom(...SLOTS).map((slot) =>
  command(
    `connect(${slot})`,
    (model) => !model.clients.has(slot),
    (model, reality) => sayHello(model, reality, slot),
  ),
);

/** Comes again while the older connection is still there: that one is shut out. */
const takeOver = fc.constantFrom(...SLOTS).map((slot) =>
  command(`take-over(${slot})`, isHere(slot), async (model, reality) => {
    const old = linkOf(model, reality, slot);
    model.end(slot, received(reality));
    await sayHello(model, reality, slot);
    agree(old.frames().at(-1), { push: "fenced", reason: "taken-over" });
  }),
);

const disconnect = fc.constantFrom(...SLOTS).map((slot) =>
  command(`disconnect(${slot})`, isHere(slot), async (model, reality) => {
    linkOf(model, reality, slot).close();
    model.end(slot, received(reality));
    model.append({ topic: "system.peer.left", from: "server" });
  }),
);

const congest = fc.tuple(fc.constantFrom(...SLOTS), fc.boolean()).map(([slot, on]) =>
  command(
    `congest(${slot}, ${on})`,
    (model) => model.clients.get(slot)?.congested === !on && !model.hasDurable(slot),
    async (model, reality) => {
      model.congest(slot, on);
      linkOf(model, reality, slot).congest(on);
    },
  ),
);

/** The bus ends without warning; those who were there come back, or do not. */
const crash = fc.subarray(SLOTS, { minLength: 1 }).map((returning) =>
  command(
    `crash(${returning.join()})`,
    ({ clients }) => clients.size > 0,
    async (model, reality) => {
      model.crash(received(reality));
      await reality.world.crash();
      for (const slot of returning) await sayHello(model, reality, slot);
    },
  ),
);

const advance = fc.integer({ min: 1, max: 2 * ACK_WAIT_MS }).map((ms) =>
  command(
    `advance(${ms})`,
    () => true,
    async (model, reality) => {
      model.advance(ms);
      reality.world.advance?.(ms);
    },
  ),
);

const often = (count: number, arbitrary: fc.Arbitrary<Command>): fc.Arbitrary<Command>[] =>
  Array.from({ length: count }, () => arbitrary);

/** What may happen to the bus; what needs a clock that can be set, or a client that does not read, only in the process. */
export function modelCommands(options: { readonly inProcess: boolean; readonly maxCommands: number }) {
  const peers = [...often(6, connect), takeOver, ...often(2, disconnect)];
  const events = [...often(12, publish), ...often(5, subscribe), ...often(2, unsubscribe)];
  const durable = [...often(4, attach), ...often(5, acknowledge)];
  const { maxCommands } = options;
  const others = options.inProcess
    ? [...often(3, publishUnread), ...often(3, congest), ...often(3, advance), ...often(3, subscribeAmid), crash]
    : often(2, crash);
  return fc.commands([...peers, ...events, ...durable, ...others], { maxCommands, size: "max" });
}

/** Where every run begins: everybody is connected. */
export async function startModel(world: World): Promise<{ model: BusModel; real: Reality }> {
  const [model, real] = [new BusModel(), createReality(world)];
  for (const slot of SLOTS) await sayHello(model, real, slot);
  await compare(model, real);
  return { model, real };
}
