import { decideAndStore, decided, NO_FIELDS } from "./decide.ts";
import { handleRequest, ok } from "./request-handler.ts";

/** Announces a monitor that is about to come. */
export const handleRegisterIntent = handleRequest("monitors.register-intent", ({ context, request }, done) => {
  const { correlation_id: correlationId } = request;
  const payload = { correlation_id: correlationId, ts: context.timestamp() };
  const event = { topic: "lifecycle.monitor-intended", payload };
  const decide = () => decided(context.state.lifecycle.isMonitorPending(correlationId) ? [] : [event], NO_FIELDS);
  return decideAndStore(context, { key: "lifecycle", decide }, done);
});

/** Whether a monitor for a correlation id is connected or announced. */
export const handleIsArmed = handleRequest("monitors.is-corr-armed", ({ context, request }, done) => {
  const { correlation_id: correlationId } = request;
  const monitor = [...context.peers.values()].find(({ monitorOf }) => monitorOf === correlationId);
  const claimed = monitor !== undefined;
  const pending = context.state.lifecycle.isMonitorPending(correlationId);
  return done(ok({ armed: claimed || pending, claimed, pending, peerId: monitor?.id ?? null }));
});
