import type { MissionPhase } from "@claw/contract";
import { LIMITS, MISSION_MODES } from "@claw/contract";
import type { BusContext } from "../bus-context.ts";
import { idOf, textOf } from "../wire/read-payload.ts";
import { refuseAdvance, withAdvance } from "../state/lifecycle-rules.ts";
import type { LifecycleEvent, LifecycleState } from "../state/lifecycle-state.ts";
import { isMissionMode, isMissionWorkerStatus } from "../state/lifecycle-state.ts";
import type { Request } from "../wire/wire.ts";
import type { Body, Command } from "./command.ts";
import { ok } from "./command.ts";
import type { Decision } from "./decide.ts";
import { decideAndStore, decided, refuse } from "./decide.ts";

type Refused = ReturnType<typeof refuse>;

interface Mission {
  readonly context: BusContext;
  readonly request: Request;
  readonly state: LifecycleState | null;
  readonly ts: string;
}

const fail = (code: string, message: string): Refused =>
  refuse(`lifecycle:${code}`, { message, code: "LIFECYCLE_REFUSED" });

const planRequired = (): Refused => fail("plan-required", "no mission; call lifecycle.plan first");

/** A handler that decides on the stored state of the mission. */
const missionCommand = (decide: (mission: Mission) => Decision | Refused): Command => ({
  roles: undefined,
  run: ({ context, request }, done) =>
    decideAndStore(
      context,
      {
        key: "lifecycle",
        decide: () => decide({ context, request, state: context.state.lifecycle.state(), ts: context.timestamp() }),
      },
      done,
    ),
});

const stateOf =
  ({ context }: Mission, more: Body = {}): (() => Body) =>
  () => ({
    state: context.state.lifecycle.state(),
    ...more,
  });

const PLANNABLE: ReadonlySet<MissionPhase> = new Set(["SESSION-BOOT", "REFLECT", "SESSION-END", "FAILED"]);

function refusePlan({ plan, workerMode, expectedWorkers }: Request): Refused | undefined {
  if (typeof plan !== "string" || plan.trim() === "") return fail("plan-empty", "the plan is empty");
  const modes = MISSION_MODES.join("|");
  if (workerMode === undefined) return fail("worker-mode-required", `workerMode is required: ${modes}`);
  if (!isMissionMode(workerMode)) return fail("invalid-worker-mode", `workerMode has to be ${modes}`);
  if (expectedWorkers === undefined) return fail("expected-workers-required", "expectedWorkers is required");
  if (Number.isSafeInteger(expectedWorkers) && Number(expectedWorkers) >= 1) return undefined;
  return fail("invalid-expected-workers", "expectedWorkers has to be a whole number from 1 on");
}

export const planMission = missionCommand((mission) => {
  const { request, state, ts } = mission;
  const refusal = refusePlan(request);
  if (refusal !== undefined) return refusal;
  if (state !== null && !PLANNABLE.has(state.phase)) return decided([], stateOf(mission, { idempotent: true }));
  const payload = {
    plan: String(request["plan"]).trim(),
    worker_mode: request["workerMode"],
    expected_workers: request["expectedWorkers"],
    ts,
  };
  const idempotent = state?.phase === "FAILED";
  return decided([{ topic: "lifecycle.planned", payload }], stateOf(mission, { idempotent }));
});

const phaseChanged = (state: LifecycleState, to: unknown, reason: string, ts: string): LifecycleEvent => ({
  topic: "lifecycle.phase-changed",
  payload: { from: state.phase, to, reason, ts },
});

export const advanceMission = missionCommand((mission) => {
  const { request, state, ts } = mission;
  const { to } = request;
  if (state === null) return planRequired();
  if (to === state.phase) return decided([], stateOf(mission, { idempotent: true }));
  const refusal = refuseAdvance(state, to);
  if (refusal !== undefined) return refuse(refusal.code, { message: refusal.message, code: "LIFECYCLE_REFUSED" });
  return decided([phaseChanged(state, to, textOf(request["reason"]) ?? "asked for", ts)], stateOf(mission));
});

export const reflectOnMission = missionCommand((mission) => {
  const { request, state, ts } = mission;
  const reflect = textOf(request["reflect"])?.trim();
  if (reflect === undefined || reflect === "") return fail("reflect-empty", "nothing to reflect on was given");
  if (state === null) return planRequired();
  const reflected = { topic: "lifecycle.reflected", payload: { reflect, ts } };
  if (state.phase === "REFLECT") return decided([reflected], stateOf(mission));
  const refusal = refuseAdvance(state, "REFLECT");
  if (refusal !== undefined) return refuse(refusal.code, { message: refusal.message, code: "LIFECYCLE_REFUSED" });
  return decided([phaseChanged(state, "REFLECT", "reflected", ts), reflected], stateOf(mission));
});

export const showMission: Command = {
  roles: undefined,
  run: ({ context }, done) => done(ok({ state: context.state.lifecycle.state() })),
};

/** How long a worker may be idle, or live, before it is closed. */
const IDLE_MS = 600_000;
const MAX_MS = 14_400_000;

const workerOf = ({ context }: Mission, terminalId: string): unknown =>
  context.state.lifecycle.state()?.spawned_workers.find(({ id }) => id === terminalId) ?? null;

export const registerSpawn = missionCommand((mission) => {
  const { request, state, ts } = mission;
  const [id, name] = [idOf(request["terminalId"]), textOf(request["name"])];
  const { correlationId } = request;
  if (id === undefined || name === undefined) {
    return fail("register-spawn-args", "terminalId, correlationId and name are required");
  }
  if (state === null) return fail("no-state", "no mission; call lifecycle.plan first");
  if (typeof correlationId !== "string" || correlationId.trim() === "") {
    return fail("correlation-id-required", "correlationId is required");
  }
  const body = (): Body => ({ worker: workerOf(mission, id) });
  const known = state.spawned_workers.find((worker) => worker.id === id);
  if (known?.correlation_id === correlationId) return decided([], body);
  if (known !== undefined) {
    return fail("correlation-id-conflict", `terminal ${id} is registered with another correlation id`);
  }
  if (state.spawned_workers.length >= LIMITS.lifecycleWorkers) {
    return fail("too-many-workers", `a mission has at most ${LIMITS.lifecycleWorkers} workers`);
  }
  const times = { spawned_at: ts, status: "spawned", idle_ms: IDLE_MS, max_ms: MAX_MS, last_activity_at: ts };
  const payload = { id, correlation_id: correlationId, name, ...times };
  return decided(withAdvance(state, [{ topic: "lifecycle.worker-spawned", payload }], ts), body);
});

export const registerMonitor = missionCommand((mission) => {
  const { request, state, ts } = mission;
  const terminalId = idOf(request["terminalId"]);
  const correlationId = textOf(request["correlationId"]);
  const command = textOf(request["command"]);
  if (terminalId === undefined || correlationId === undefined || command === undefined) {
    return fail("register-monitor-args", "terminalId, correlationId and command are required");
  }
  if (state === null) return fail("no-state", "no mission; call lifecycle.plan first");
  const monitor = { terminal_id: terminalId, correlation_id: correlationId, command, armed_at: ts };
  const events = withAdvance(state, [{ topic: "lifecycle.monitor-registered", payload: monitor }], ts);
  return decided(events, () => ({ monitor }));
});

export const markWorkerStatus = missionCommand((mission) => {
  const { request, state, ts } = mission;
  const terminalId = idOf(request["terminalId"]);
  const { status } = request;
  if (terminalId === undefined || !isMissionWorkerStatus(status)) {
    return fail("mark-status-args", "terminalId and a known status are required");
  }
  const known = state?.spawned_workers.some(({ id }) => id === terminalId) ?? false;
  if (!known) return decided([], () => ({ worker: null }));
  const payload = { terminal_id: terminalId, status, ts };
  const events = withAdvance(state, [{ topic: "lifecycle.worker-status", payload }], ts);
  return decided(events, () => ({ worker: workerOf(mission, terminalId) }));
});
