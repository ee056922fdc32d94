import { ClawError } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "./open-bus.ts";
import { readJson } from "./read-json.ts";
import { plural } from "../text/text-layout.ts";
import { onBus } from "./ask-bus.ts";

const readPayload = (text: string): unknown => readJson(text, "PAYLOAD", '{"reason":"done"}');

/** Says what the client and the bus would say, in their order, without asking the bus. */
async function refuseUnpublishable(topic: string, data: unknown, ports: Ports): Promise<void> {
  const { policy } = requireDaemon(ports);
  const { checkPublication } = await import("./bus-client.ts");
  await checkPublication(topic, data);
  const { mayPublish, PUBLISH_FORBIDDEN } = await import("claw-contract/schemas");
  if (policy !== "strict" || mayPublish({ role: "orchestrator", peerId: "" }, topic)) return;
  throw new ClawError("PUBLISH_FORBIDDEN", PUBLISH_FORBIDDEN, { operation: "publish", target: topic });
}

export const handler = handle("publish", {
  run: async ({ topic, payload, dryRun }, ports) => {
    const data = readPayload(payload);
    if (dryRun) {
      await refuseUnpublishable(topic, data, ports);
      return { topic, sequence: 0, cursor: "", delivered_to: 0, effect: "would_create", would_affect: [topic] };
    }
    return onBus(ports, async (bus) => {
      const { sequence, cursor, deliveredTo } = await bus.publish(topic, data);
      return { topic, sequence, cursor, delivered_to: deliveredTo, effect: "created" };
    });
  },
  show: ({ topic, sequence, delivered_to, effect }, paint) =>
    effect === "would_create"
      ? `Would publish on ${paint.bold(topic)}`
      : `Published on ${paint.bold(topic)} as event ${sequence}, delivered to ${plural(delivered_to, "subscription")}`,
});
