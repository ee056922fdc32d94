import type { CommandLadder, CommandRoute } from "claw-contract";
import {
  COMMAND_CAPABILITY,
  COMMAND_LIMITS,
  furthestStep,
  hasLifeEnded,
  isLost,
  isUrgent,
  LIFE_TOPICS,
  nonEmptyText,
  numberOf,
} from "claw-contract";
import type { CommandStep } from "claw-contract/schemas";
import type { BusExtension, BusHost, CommittedEvent } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";
import type { RegisteredWorker, WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { ownerOf } from "./agent-in.ts";
import type { Climber, StepWaits } from "./climber.ts";
import { createClimber, expiresAt, STEP_WAITS } from "./climber.ts";
import { createCommandGate } from "./command-gate.ts";
import type { CommandMemory, OpenCommand } from "./command-memory.ts";
import { createCommandMemory, HELD, stepOf } from "./command-memory.ts";
import type { CommandQueue } from "./find-request.ts";
import { findRequest } from "./find-request.ts";
import type { InjectionPace, Sleep } from "./injection-pace.ts";
import { INJECTION_PACE, pauseFor } from "./injection-pace.ts";
import { shownSteps, WORKER_ENDED } from "./shown-steps.ts";
import { typeRequest } from "./type-request.ts";
import type { TypingLanes } from "./typing-lanes.ts";
import { createTypingLanes } from "./typing-lanes.ts";

export interface CommandOptions {
  readonly registry: WorkerRegistry;
  readonly pause?: Sleep;
  readonly pace?: InjectionPace;
  readonly waits?: StepWaits;
  /** Tells the daemon's clock of activity, which may bring the next due time closer. */
  readonly touch?: () => void;
}

/** Why a command expires on each step. */
const LATE: Readonly<Partial<Record<CommandStep, string>>> = {
  accepted: "it could not be given to the worker in time",
  queued: "the worker did not take it in time",
  injected: "nothing shows that the worker's program took it",
  submitted: "the worker did not answer it in time",
  acked: "the worker did not say in time that it was done",
};

const BROKEN_OFF = "the server ended while it was being typed, so it is not typed again: look at the terminal";
const STARTED_ANEW = "the worker was started anew";

/** Events of the server that may begin or end a life. */
const LIFE_EVENTS = LIFE_TOPICS.filter((topic) => topic.startsWith("system."));

/** Steps of a command that its worker has not taken yet. The worker's next life still gets the command. */
const WAITING: ReadonlySet<CommandStep | undefined> = new Set(["accepted", "queued"]);

interface CommandParts {
  readonly host: BusHost;
  readonly registry: WorkerRegistry;
  readonly memory: CommandMemory;
  readonly climber: Climber;
  readonly lanes: TypingLanes;
}

/** The route by which a command reaches a worker. */
function routeFor({ terminals }: BusHost, worker: RegisteredWorker, action: string): CommandRoute {
  const { terminalId, capabilities } = worker;
  const typed = terminalId !== null && terminals.open().includes(terminalId);
  if (capabilities.includes(COMMAND_CAPABILITY)) return typed && action === "inject_text" ? "terminal" : "bus";
  return typed ? "terminal" : "bus";
}

/** Number of earlier commands of the same urgency that wait for the same worker. */
function aheadOf({ memory }: CommandParts, { ladder }: OpenCommand): number {
  const urgent = isUrgent(ladder.action);
  return memory
    .of(ladder.targetPeerId)
    .filter((other) => other.ladder.sequence < ladder.sequence && isUrgent(other.ladder.action) === urgent).length;
}

/** Takes the next step of a command that the server itself can take. */
function advance(parts: CommandParts, command: OpenCommand): void {
  const { host, registry, climber, lanes } = parts;
  const { targetPeerId, sequence, action } = command.ladder;
  const evidence = { kind: "sequence", value: sequence } as const;
  const worker = registry.get(targetPeerId);
  const step = (): CommandStep | undefined => furthestStepOf(climber.ladderOf(command));
  if (climber.ladderOf(command)?.rungs.length === 0) void climber.take(command, { step: "accepted", evidence });
  if (worker !== undefined && isLost(worker.life) && hasLifeEnded(worker.life) && action === "abort") {
    endCommands(parts, targetPeerId, sequence);
  } else if (worker === undefined || hasLifeEnded(worker.life)) {
    void climber.take(command, { step: "refused", evidence: null, reason: WORKER_ENDED });
  } else if (step() === "accepted" && aheadOf(parts, command) >= COMMAND_LIMITS.waitingCommands) {
    void climber.take(command, { step: "refused", evidence: null, reason: "too many commands wait for the worker" });
  } else if (step() === "accepted") {
    void climber.take(command, { step: "queued", evidence, route: routeFor(host, worker, action) });
  } else if (step() === "queued") lanes.pump(targetPeerId);
}

const furthestStepOf = (ladder: CommandLadder | undefined): CommandStep | undefined =>
  ladder === undefined ? undefined : furthestStep(ladder);

/** Takes the steps of commands that an event of their worker proves. */
function climbBy(parts: CommandParts, event: CommittedEvent): void {
  const { memory, climber, lanes } = parts;
  for (const known of memory.of(event.from)) {
    const ladder = climber.ladderOf(known);
    if (ladder === undefined) continue;
    const command = { ...known, ladder };
    const typed = { command, entered: lanes.hasEntered(command) };
    for (const shown of shownSteps(typed, event)) void climber.take(command, shown);
  }
  if (event.topic.endsWith(".signal")) lanes.pump(event.from);
}

/** Ends every command to a worker that has ended. An abort counts as applied, the others expire. */
function endCommands({ memory, climber }: CommandParts, peerId: string, sequence: number): void {
  const evidence = { kind: "sequence", value: sequence } as const;
  for (const command of memory.of(peerId)) {
    const isAbort = command.ladder.action === "abort";
    const end = isAbort ? ({ step: "applied" } as const) : ({ step: "expired", reason: WORKER_ENDED } as const);
    void climber.take(command, { ...end, evidence });
  }
}

/** Ends the commands that an earlier life of the worker was given. Commands that wait go to the new life. */
function loseTaken({ memory, climber }: CommandParts, peerId: string, sequence: number): void {
  const evidence = { kind: "sequence", value: sequence } as const;
  for (const command of memory.of(peerId)) {
    if (WAITING.has(furthestStepOf(climber.ladderOf(command)))) continue;
    void climber.take(command, { step: "expired", evidence, reason: STARTED_ANEW });
  }
}

/** Ends commands to workers that ended for good with this event, or whose next life began with the event. */
function followLives(parts: CommandParts, event: CommittedEvent): void {
  for (const { peerId, before, after } of parts.registry.changesBy(event)) {
    const isFirstStart = before.process === "unknown" && after.process === "alive";
    if (before.bootId !== after.bootId && !isFirstStart) loseTaken(parts, peerId, event.sequence);
    else if (hasLifeEnded(after)) endCommands(parts, peerId, event.sequence);
  }
}

/** After a step is stored: stops the typing of a command that no longer needs it, and begins the next step. */
function stepTaken(parts: CommandParts, { payload }: CommittedEvent, step: CommandStep): void {
  const { targetPeerId, sequence } = fieldsOf(payload);
  const ladder = { targetPeerId: nonEmptyText(targetPeerId) ?? "", sequence: numberOf(sequence) ?? -1 };
  const command = parts.memory.get(ladder);
  if (step !== "accepted" && step !== "queued" && step !== "injected") parts.lanes.letGo(ladder);
  if (command !== undefined) advance(parts, command);
  parts.lanes.pump(ladder.targetPeerId);
}

function react(parts: CommandParts, event: CommittedEvent): void {
  const { topic, from } = event;
  const step = stepOf(topic);
  if (topic === HELD) return undefined;
  if (step !== undefined) return from === "server" ? stepTaken(parts, event, step) : undefined;
  if (topic.startsWith("system.")) return followLives(parts, event);
  if (topic.startsWith("worker.") || topic.endsWith(".ack")) {
    climbBy(parts, event);
    return followLives(parts, event);
  }
  for (const command of parts.memory.all()) if (command.ladder.sequence === event.sequence) advance(parts, command);
  return undefined;
}

/** The reason of an expiry: the text for the command's step, and the last reported hindrance. */
const lateReason = ({ held }: OpenCommand, step: CommandStep): string =>
  [LATE[step] ?? WORKER_ENDED, ...(held === undefined ? [] : [held])].join(": ");

function expireLate({ host, memory, climber }: CommandParts, waits: StepWaits, listeningSince: number): number {
  let next = Infinity;
  for (const command of memory.all()) {
    const ladder = climber.ladderOf(command);
    if (ladder === undefined || !host.isHere(ladder.targetPeerId)) continue;
    const at = expiresAt(ladder, listeningSince, waits);
    const step = furthestStepOf(ladder) ?? "accepted";
    if (at > host.now()) next = Math.min(next, at);
    else void climber.take(command, { step: "expired", evidence: null, reason: lateReason(command, step) });
  }
  return next;
}

export interface Commands {
  readonly extension: BusExtension;
  /** Sequences of the commands that a worker has not taken yet. */
  readonly waiting: (peerId: string) => readonly number[];
}

/** Follows every command to a worker from its acceptance to its end. */
export function createCommandExtension(host: BusHost, options: CommandOptions): Commands {
  const { registry, pause = pauseFor, pace = INJECTION_PACE, waits = STEP_WAITS, touch = () => undefined } = options;
  const memory = createCommandMemory((peerId) => registry.get(peerId) !== undefined);
  const climber = createClimber(host, memory, waits);
  const lanes = createTypingLanes({ host, registry, memory, climber, pace, pause });
  const parts = { host, registry, memory, climber, lanes };
  const isWaiting = (command: OpenCommand): boolean => WAITING.has(furthestStepOf(climber.ladderOf(command)));
  const waiting = (peerId: string): number[] =>
    memory
      .of(peerId)
      .filter(isWaiting)
      .map(({ ladder }) => ladder.sequence);
  const lookAt = (peerId: string): CommandQueue => ({ busy: memory.isBusy(peerId), ahead: waiting(peerId).length });
  const extension: BusExtension = {
    name: "commands",
    memory: memory.memory,
    requests: [findRequest({ host, registry }, lookAt), typeRequest({ host, registry })],
    gate: createCommandGate(host, registry),
    agentIn: (terminalId) => ownerOf({ host, registry }, terminalId)?.peerId,
    reactsTo: ["cmd.*.*", "worker.*.*", "system.command.*", ...LIFE_EVENTS],
    logEntries: "ignored",
    react: (event) => {
      react(parts, event);
      touch();
    },
    start: () => {
      for (const command of memory.all()) {
        if (!host.isHere(command.ladder.targetPeerId)) continue;
        const brokenOff = command.begun && furthestStep(command.ladder) === "queued";
        if (brokenOff) void climber.take(command, { step: "expired", evidence: null, reason: BROKEN_OFF });
        else advance(parts, command);
      }
    },
    checkDue: () => expireLate(parts, waits, host.silenceCountsFrom()),
  };
  return { extension, waiting };
}
