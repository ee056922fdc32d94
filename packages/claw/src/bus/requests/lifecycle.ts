import type { MissionPhase, ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { BusContext } from "../bus-context.ts";
import { refuseAdvance, withAdvance } from "../state/lifecycle-rules.ts";
import type { LifecycleEvent, LifecycleState } from "../state/lifecycle-state.ts";
import type { RequestDecision } from "./decide.ts";
import { decideAndStore, decided } from "./decide.ts";
import type { RequestOutcome, Refused } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

/** The mission as it is stored when a request is decided. */
interface Mission {
  readonly state: LifecycleState | null;
  readonly ts: string;
}

const fail = (code: string, message: string): Refused =>
  error(`lifecycle:${code}`, { message, code: "LIFECYCLE_REFUSED" });

const planRequired = (): Refused => fail("plan-required", "no mission; call lifecycle.plan first");

/** Decides on the stored state of the mission, then answers. */
const onMission = <Reply extends object>(
  context: BusContext,
  decide: (mission: Mission) => RequestDecision<Reply> | Refused,
  done: (outcome: RequestOutcome<Reply>) => void,
): void =>
  decideAndStore(
    context,
    {
      key: "lifecycle",
      decide: () => decide({ state: context.state.lifecycle.state(), ts: context.timestamp() }),
    },
    done,
  );

const stateOf = ({ state }: BusContext): ReplyFields<"lifecycle.snapshot"> => ({ state: state.lifecycle.state() });

const PLANNABLE: ReadonlySet<MissionPhase> = new Set(["SESSION-BOOT", "REFLECT", "SESSION-END", "FAILED"]);

export const handlePlanMission = handleRequest("lifecycle.plan", ({ context, request }, done) => {
  const { plan, workerMode, expectedWorkers } = request;
  const decide = ({ state, ts }: Mission) => {
    const reply = (idempotent: boolean) => () => ({ ...stateOf(context), idempotent });
    if (state !== null && !PLANNABLE.has(state.phase)) return decided([], reply(true));
    const payload = { plan: plan.trim(), worker_mode: workerMode, expected_workers: expectedWorkers, ts };
    return decided([{ topic: "lifecycle.planned", payload }], reply(state?.phase === "FAILED"));
  };
  return onMission(context, decide, done);
});

const phaseChanged = (state: LifecycleState, to: unknown, reason: string, ts: string): LifecycleEvent => ({
  topic: "lifecycle.phase-changed",
  payload: { from: state.phase, to, reason, ts },
});

export const handleAdvanceMission = handleRequest("lifecycle.advance", ({ context, request }, done) => {
  const { to, reason = "asked for" } = request;
  const decide = ({ state, ts }: Mission): RequestDecision<ReplyFields<"lifecycle.advance">> | Refused => {
    if (state === null) return planRequired();
    if (to === state.phase) return decided([], () => ({ ...stateOf(context), idempotent: true as const }));
    const refusal = refuseAdvance(state, to);
    if (refusal !== undefined) return error(refusal.code, { message: refusal.message, code: "LIFECYCLE_REFUSED" });
    return decided([phaseChanged(state, to, reason, ts)], () => stateOf(context));
  };
  return onMission(context, decide, done);
});

export const handleReflectOnMission = handleRequest("lifecycle.reflect", ({ context, request }, done) => {
  const reflect = request.reflect.trim();
  const decide = ({ state, ts }: Mission) => {
    if (state === null) return planRequired();
    const reflected = { topic: "lifecycle.reflected", payload: { reflect, ts } };
    const reply = () => stateOf(context);
    if (state.phase === "REFLECT") return decided([reflected], reply);
    const refusal = refuseAdvance(state, "REFLECT");
    if (refusal !== undefined) return error(refusal.code, { message: refusal.message, code: "LIFECYCLE_REFUSED" });
    return decided([phaseChanged(state, "REFLECT", "reflected", ts), reflected], reply);
  };
  return onMission(context, decide, done);
});

export const handleShowMission = handleRequest("lifecycle.snapshot", ({ context }, done) => done(ok(stateOf(context))));

/** How long a worker may be idle, or live, before it is closed. */
const IDLE_MS = 600_000;
const MAX_MS = 14_400_000;

const noState = (): Refused => fail("no-state", "no mission; call lifecycle.plan first");

const workerOf = ({ state }: BusContext, terminalId: string): ReplyFields<"lifecycle.register-spawn"> => ({
  worker: state.lifecycle.state()?.spawned_workers.find(({ id }) => id === terminalId) ?? null,
});

function refuseSpawn(
  { spawned_workers: workers }: LifecycleState,
  id: string,
  correlationId: unknown,
): Refused | undefined {
  if (typeof correlationId !== "string" || correlationId.trim() === "") {
    return fail("correlation-id-required", "correlationId is required");
  }
  const known = workers.find((worker) => worker.id === id);
  if (known !== undefined && known.correlation_id !== correlationId) {
    return fail("correlation-id-conflict", `terminal ${id} is registered with another correlation id`);
  }
  if (known !== undefined || workers.length < LIMITS.lifecycleWorkers) return undefined;
  return fail("too-many-workers", `a mission has at most ${LIMITS.lifecycleWorkers} workers`);
}

export const handleRegisterSpawn = handleRequest("lifecycle.register-spawn", ({ context, request }, done) => {
  const { name, correlationId } = request;
  const id = String(request.terminalId);
  const decide = ({ state, ts }: Mission) => {
    if (state === null) return noState();
    const refusal = refuseSpawn(state, id, correlationId);
    if (refusal !== undefined) return refusal;
    const reply = () => workerOf(context, id);
    if (state.spawned_workers.some((worker) => worker.id === id)) return decided([], reply);
    const times = { spawned_at: ts, status: "spawned", idle_ms: IDLE_MS, max_ms: MAX_MS, last_activity_at: ts };
    const payload = { id, correlation_id: correlationId, name, ...times };
    return decided(withAdvance(state, [{ topic: "lifecycle.worker-spawned", payload }], ts), reply);
  };
  return onMission(context, decide, done);
});

export const handleRegisterMonitor = handleRequest("lifecycle.register-monitor", ({ context, request }, done) => {
  const { terminalId, correlationId, command } = request;
  const decide = ({ state, ts }: Mission) => {
    if (state === null) return noState();
    const monitor = { terminal_id: String(terminalId), correlation_id: correlationId, command, armed_at: ts };
    const events = withAdvance(state, [{ topic: "lifecycle.monitor-registered", payload: monitor }], ts);
    return decided(events, () => ({ monitor }));
  };
  return onMission(context, decide, done);
});

export const handleMarkWorkerStatus = handleRequest("lifecycle.mark-worker-status", ({ context, request }, done) => {
  const { status } = request;
  const terminalId = String(request.terminalId);
  const decide = ({ state, ts }: Mission) => {
    const known = state?.spawned_workers.some(({ id }) => id === terminalId) ?? false;
    const payload = { terminal_id: terminalId, status, ts };
    const events = known ? withAdvance(state, [{ topic: "lifecycle.worker-status", payload }], ts) : [];
    return decided(events, () => workerOf(context, terminalId));
  };
  return onMission(context, decide, done);
});
