import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { onBus } from "../bus/ask-bus.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { table } from "../text/text-layout.ts";

type Output = VerbOutput<"notify test">;

async function deliver(ports: Ports): Promise<Output> {
  return onBus(ports, async (bus) => {
    const { deliveryId, deliveries } = await bus.request("notify.test");
    if (deliveries.length === 0) {
      throw new ClawError("NOTIFY_NOT_SET", "the settings name neither a command nor a webhook for notices", {
        operation: "notify_test",
        target: "notify",
      });
    }
    const output: Output = {
      delivery_id: deliveryId,
      deliveries: deliveries.map(({ durationMs, ...delivery }) => ({ ...delivery, duration_ms: durationMs })),
      effect: "created",
    };
    const failed = output.deliveries.find(({ delivered }) => !delivered);
    if (failed === undefined) return output;
    throw new ClawError("NOTIFY_FAILED", `the ${failed.channel} did not take the notice: ${failed.detail}`, {
      operation: "notify_test",
      target: failed.channel,
      partial: output,
    });
  });
}

export const handler = handle("notify test", {
  run: ({ dryRun }, ports) =>
    dryRun ? { delivery_id: null, deliveries: [], effect: "would_create", would_affect: ["notify"] } : deliver(ports),
  show: ({ delivery_id: id, deliveries, effect }, paint) => {
    if (effect === "would_create") return "Would deliver a test notice on every channel of the settings.";
    const rows = deliveries.map(({ channel, delivered, detail, duration_ms: ms }) => [
      channel,
      delivered ? "delivered" : "failed",
      `${ms} ms`,
      detail,
    ]);
    return `${table(["CHANNEL", "NOTICE", "TIME", "ANSWER"], rows, paint)}\n${paint.dim(`delivery ${id}`)}`;
  },
});
