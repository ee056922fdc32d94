import { textOf } from "../wire/read-payload.ts";
import type { Command } from "./command.ts";
import { error, ok } from "./command.ts";
import { decideAndStore, decided } from "./decide.ts";

/** Announces a monitor that is about to come. */
export const registerIntent: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const correlationId = textOf(request["correlation_id"]);
    if (correlationId === undefined) return done(error("monitors.register-intent:missing-correlation_id"));
    const payload = { correlation_id: correlationId, ts: context.timestamp() };
    const decide = () =>
      decided(
        context.state.lifecycle.isMonitorPending(correlationId)
          ? []
          : [{ topic: "lifecycle.monitor-intended", payload }],
      );
    return decideAndStore(context, { key: "lifecycle", decide }, done);
  },
};

/** Whether a monitor for a correlation id is connected or announced. */
export const isArmed: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const correlationId = textOf(request["correlation_id"]);
    if (correlationId === undefined) return done(error("monitors.is-corr-armed:missing-correlation_id"));
    const monitor = [...context.peers.values()].find(({ monitorOf }) => monitorOf === correlationId);
    const claimed = monitor !== undefined;
    const pending = context.state.lifecycle.isMonitorPending(correlationId);
    return done(ok({ armed: claimed || pending, claimed, pending, peerId: monitor?.id ?? null }));
  },
};
