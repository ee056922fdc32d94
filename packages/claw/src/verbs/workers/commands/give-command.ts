import type { EventItem, Orchestrator, Subscription } from "claw-client";
import type { VerbOutput } from "claw-contract";
import { ClawError, FORWARD_STEPS } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { openOrchestrator } from "../../bus/open-bus.ts";
import { queuedText } from "./show-outcome.ts";

type Outcome = VerbOutput<"abort">;
type Rung = Outcome["steps"][number];

export interface WorkerCommand {
  readonly id: string;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  /**
   * `taken` waits until the command is submitted. For a busy worker, `taken` waits only until the command is queued,
   * because the rest may take long.
   */
  readonly wait: "none" | "taken" | "accepted" | "queued" | "submitted" | "acked" | "applied";
  readonly dryRun: boolean;
}

/** The worker or terminal that gets the command. */
interface Target {
  readonly peerId: string | null;
  readonly name: string;
  /** Whether the worker's agent is at work. */
  readonly busy: boolean;
  /** Number of commands in the worker's queue. */
  readonly ahead: number;
}

/** Topics of the steps of commands, and of the alerts about workers. */
const FOLLOWED_TOPICS = "system.*.*";
const STEP_TOPICS = "system.command.";
/** Topic of the event that says why a command gets no further. The event is no step. */
const HELD_TOPIC = "system.command.held";

async function findTarget(bus: Orchestrator, id: string): Promise<Target> {
  const { peer_id: peerId, name, ended, hint, busy, ahead } = await bus.request("worker.find", { target: id });
  if (ended === true) {
    const next = hint === undefined ? {} : { hint };
    throw new ClawError("WORKER_ENDED", `worker ${id} has ended`, { operation: "find", target: id, ...next });
  }
  const waiting = ahead ?? 0;
  return {
    peerId,
    name,
    busy: busy === true,
    ahead: waiting,
  };
}

const rungOf = ({ topic, payload }: EventItem): Rung => {
  const { ts, route, evidence, deadline, reason } = payload as Partial<Rung> & Pick<Rung, "ts">;
  const step = topic.slice(topic.lastIndexOf(".") + 1) as Rung["step"];
  const facts = { route: route ?? null, evidence: evidence ?? null, deadline: deadline ?? null };
  return { step, ts, ...facts, ...(reason === undefined ? {} : { reason }) };
};

const placeOf = (step: string): number => FORWARD_STEPS.findIndex((each) => each === step);

/** Whether a command has reached the step that the caller waits for. */
function isFar({ step }: Rung, wait: WorkerCommand["wait"], busy: boolean): boolean {
  const far = wait === "taken" ? (busy ? "queued" : "submitted") : wait;
  return placeOf(step) >= placeOf(far);
}

/** Whether the worker crashed and is about to be started anew: a command waits until the next life is at work. */
const isRestarting = ({ topic, payload }: EventItem, peerId: unknown): boolean => {
  const about = payload as Readonly<Record<string, unknown>>;
  return topic === "system.worker.alert" && about["peerId"] === peerId && about["action"] === "restart";
};

/** Adds to the last step the reason why no other step follows. */
function hold(steps: Rung[], reason: string): void {
  const last = steps.pop();
  if (last !== undefined) steps.push({ ...last, reason });
}

const progress = ({ name }: Outcome, steps: readonly Rung[]): string =>
  `${name}: ${steps.map(({ step, reason }) => (reason === undefined ? step : `${step} (${reason})`)).join(" → ")}`;

/**
 * Follows a command to the step that the caller waits for. Throws when the command ends before; the error carries the
 * steps reached.
 */
async function followCommand(
  subscription: Subscription,
  { wait, id, action }: WorkerCommand,
  start: Outcome,
  { live, signal, announce }: Ports,
): Promise<Outcome> {
  const steps: Rung[] = [];
  let [commandId, isBusy]: [string | null, boolean] = [null, start.busy === true];
  const outcome = (): Outcome => {
    const reached = { command_id: commandId, step: steps.at(-1)?.step ?? null, steps };
    return { ...start, ...(isBusy ? { busy: true } : {}), ...reached };
  };
  for await (const item of subscription) {
    if (item.kind !== "event") continue;
    if (isRestarting(item, start.worker)) {
      isBusy = true;
      const last = steps.at(-1);
      if (last !== undefined && isFar(last, wait, isBusy)) return outcome();
    }
    if (!item.topic.startsWith(STEP_TOPICS)) continue;
    const about = item.payload as Readonly<Record<string, unknown>>;
    if (about["sequence"] !== start.sequence || about["targetPeerId"] !== start.worker) continue;
    if (item.topic === HELD_TOPIC) {
      hold(steps, String(about["reason"]));
      live?.show(progress(start, steps));
      continue;
    }
    const rung = rungOf(item);
    steps.push(rung);
    commandId = String(about["commandId"]);
    live?.show(progress(start, steps));
    if (rung.step === "expired" || rung.step === "refused") {
      const code = rung.step === "expired" ? "COMMAND_EXPIRED" : "COMMAND_REFUSED";
      throw new ClawError(code, rung.reason ?? rung.step, { operation: "wait", target: id, partial: outcome() });
    }
    if (isFar(rung, wait, isBusy)) return outcome();
    if (rung.step === "queued" && isBusy && action === "inject_text") announce(queuedText(start));
  }
  throw stoppedError(signal, id, outcome());
}

/** Makes the error for a wait that ended early. The error carries the steps that the command reached. */
function stoppedError({ reason }: AbortSignal, id: string, partial: Outcome): ClawError {
  const why = reason instanceof ClawError ? reason : undefined;
  const held = partial.steps.at(-1)?.reason;
  const ended = why?.message ?? "the bus closed before the command came that far";
  const message = held === undefined ? ended : `${ended}: ${held}`;
  const hint = "It goes on by itself: follow it with claw events --follow --topic 'system.command.*'.";
  return new ClawError(why?.code ?? "BUS_UNREACHABLE", message, { operation: "wait", target: id, hint, partial });
}

const notGiven = ({ peerId, name, busy, ahead }: Target): Outcome => ({
  worker: peerId,
  name,
  command_id: null,
  sequence: 0,
  step: null,
  steps: [],
  ...(peerId === null ? {} : { busy, ahead }),
  effect: "created",
});

/** Types a text into a terminal without a worker. No steps are known about the text. */
async function sendPlain(bus: Orchestrator, target: Target, { action, data, id }: WorkerCommand): Promise<Outcome> {
  if (action !== "inject_text") {
    throw new ClawError("WORKER_NOT_FOUND", `${id} is a terminal without a worker`, { operation: "find", target: id });
  }
  await bus.request("terminal.type", { target: id, text: String(data["text"]) });
  return notGiven(target);
}

async function give(bus: Orchestrator, request: WorkerCommand, ports: Ports): Promise<Outcome> {
  const target = await findTarget(bus, request.id);
  const { peerId } = target;
  const topic = `cmd.${peerId ?? request.id}.${request.action}`;
  if (request.dryRun) return { ...notGiven(target), effect: "would_create", would_affect: [topic] };
  if (peerId === null) return sendPlain(bus, target, request);
  const subscription = bus.subscribe(FOLLOWED_TOPICS);
  await subscription.ready();
  const { sequence } = await bus.publish(topic, request.data);
  const start = { ...notGiven(target), sequence };
  return request.wait === "none" ? start : followCommand(subscription, request, start, ports);
}

/** Gives a worker a command and follows the steps of the command. */
export async function giveCommand(request: WorkerCommand, ports: Ports): Promise<Outcome> {
  const bus = await openOrchestrator(ports);
  try {
    return await give(bus, request, ports);
  } finally {
    ports.live?.clear();
    await bus.close();
  }
}
