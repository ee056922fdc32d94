import type { CommandLadder, ErrorCode } from "claw-contract";
import { ClawError, COMMAND_LIMITS, furthestStep, isUrgent, ladderRoute } from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { agentIn } from "./agent-in.ts";
import { injectIntoAgent } from "./agent-injection.ts";
import type { Climber } from "./climber.ts";
import { commandLine, isAnswer } from "./command-line.ts";
import type { CommandMemory, OpenCommand } from "./command-memory.ts";
import { HELD, keyOf } from "./command-memory.ts";
import type { InjectionPace, Sleep } from "./injection-pace.ts";
import type { Tellings } from "./tellings.ts";
import { createTellings } from "./tellings.ts";
import { injectText } from "./terminal-injection.ts";

/**
 * Types commands into the terminals of workers: for each worker one at a time and in order. Commands that stop a worker
 * go first, then answers.
 */
export interface TypingLanes {
  /** Begins typing the next command for a worker, if typing may begin. */
  pump(peerId: string): void;
  /** Stops typing a command that took a further step, or ended, by other means. */
  letGo(ladder: LadderPlace): void;
  /** Whether Enter was pressed for the command. */
  hasEntered(command: OpenCommand): boolean;
}

export interface LaneOptions {
  readonly host: BusHost;
  readonly registry: WorkerRegistry;
  readonly memory: CommandMemory;
  readonly climber: Climber;
  readonly pace: InjectionPace;
  readonly pause: Sleep;
}

/** Identifies a command to a worker. */
type LadderPlace = Pick<CommandLadder, "sequence" | "targetPeerId">;

interface Lane {
  readonly command: OpenCommand;
  readonly end: AbortController;
  entered: boolean;
  /** Reported reasons why the command is not typed. */
  readonly tellings: Tellings;
}

const LET_GO = Symbol("let go");

/** Why a command could not be typed. */
const REASONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  TERMINAL_NOT_FOUND: "the terminal of the worker is closed",
  TERMINAL_BUSY: "the terminal of the worker takes no more",
};

function reasonOf(error: unknown): string {
  if (!(error instanceof ClawError)) return "it could not be typed";
  return (
    REASONS[error.code] ?? (error.code === "COMMAND_REFUSED" ? error.message : `it could not be typed: ${error.code}`)
  );
}

/** A text for an agent at work would keep back the answer that the agent waits for, so answers overtake texts. */
const rankOf = ({ ladder }: OpenCommand): number => (isUrgent(ladder.action) ? 0 : isAnswer(ladder.action) ? 1 : 2);

/** Order: commands that stop a worker, then answers, then other commands; within each group the oldest first. */
const byRank = (a: OpenCommand, b: OpenCommand): number =>
  rankOf(a) - rankOf(b) || a.ladder.sequence - b.ladder.sequence;

/** Commands that wait to be typed for a worker, the next command first. */
function waitingFor({ memory, climber }: LaneOptions, lanes: ReadonlyMap<string, Lane>, peerId: string): OpenCommand[] {
  return memory
    .of(peerId)
    .filter((command) => {
      const ladder = climber.ladderOf(command);
      if (ladder === undefined || command.begun || lanes.has(keyOf(ladder))) return false;
      return furthestStep(ladder) === "queued" && ladderRoute(ladder) === "terminal";
    })
    .toSorted(byRank);
}

/** Stores an event about the typing of a command. Resolves when the event is on disk. */
function publishStep(
  { host }: LaneOptions,
  topic: string,
  { ladder }: OpenCommand,
  more: Readonly<Record<string, unknown>>,
) {
  const { commandId, targetPeerId, sequence } = ladder;
  const payload = { commandId, targetPeerId, sequence, ...more, ts: host.timestamp() };
  return new Promise<void>((resolve, reject) => {
    host.publish([{ topic, payload }], (outcome) => (outcome instanceof Error ? reject(outcome) : resolve()));
  });
}

/** Reports the reason why a command is not typed, unless this reason was the last reported one. */
function tellHeld(options: LaneOptions, { command, tellings }: Lane, terminalId: string, reason: string): void {
  if (!tellings.take(reason)) return;
  const failed = (error: unknown): void => options.host.report(`${HELD}: ${String(error)}`);
  publishStep(options, HELD, command, { terminalId, reason }).catch(failed);
}

/** Types one command. Rejects as `injectText` does. */
async function typeCommand(options: LaneOptions, lane: Lane, line: string): Promise<void> {
  const { host, climber, registry, memory, pace, pause } = options;
  const { command, end } = lane;
  const { targetPeerId } = command.ladder;
  const terminalId = registry.get(targetPeerId)?.terminalId ?? "";
  const injection = {
    terminals: host.terminals,
    terminalId,
    text: line,
    pace,
    pause,
    begun: (offset: number) => {
      lane.tellings.forget();
      return publishStep(options, "system.typing.begun", command, { terminalId, offset });
    },
    injected: async (at: number) => {
      lane.tellings.forget();
      const evidence = { kind: "pty_offset", value: at } as const;
      if (!(await climber.take(command, { step: "injected", evidence }))) end.abort(LET_GO);
    },
    entered: () => void (lane.entered = true),
  };
  const harness = agentIn(options, terminalId);
  const isBusy = (): boolean => memory.isBusy(targetPeerId);
  const held = (why: string): void => tellHeld(options, lane, terminalId, why);
  const typing =
    harness === null
      ? injectText(injection, end.signal)
      : injectIntoAgent({ ...injection, harness, isBusy, held }, end.signal);
  await climber.take(command, { step: "submitted", evidence: { kind: "pty_offset", value: await typing } });
}

export function createTypingLanes(options: LaneOptions): TypingLanes {
  const { memory, climber } = options;
  const lanes = new Map<string, Lane>();
  const refuse = (command: OpenCommand, reason: string): Promise<boolean> =>
    climber.take(command, { step: "refused", evidence: null, reason });
  const mayBegin = (peerId: string, { ladder }: OpenCommand): boolean => {
    const ahead = [...lanes.values()].filter(({ command }) => command.ladder.targetPeerId === peerId);
    const urgent = isUrgent(ladder.action);
    if (ahead.length > 0) return urgent && ahead.every(({ entered }) => entered);
    return urgent || isAnswer(ladder.action) || !memory.isBusy(peerId);
  };
  const begin = async (command: OpenCommand, line: string): Promise<void> => {
    const lane: Lane = {
      command,
      end: new AbortController(),
      entered: false,
      tellings: createTellings(COMMAND_LIMITS.heldTellings),
    };
    lanes.set(keyOf(command.ladder), lane);
    try {
      await typeCommand(options, lane, line);
    } catch (error) {
      if (!lane.end.signal.aborted) await refuse(command, reasonOf(error));
    }
    lanes.delete(keyOf(command.ladder));
    pump(command.ladder.targetPeerId);
  };
  const pump = (peerId: string): void => {
    const [next] = waitingFor(options, lanes, peerId);
    if (next === undefined || !mayBegin(peerId, next)) return;
    const line = commandLine(next);
    void (line === null ? refuse(next, "it cannot be written as a line") : begin(next, line));
  };
  return {
    pump,
    letGo: (ladder) => lanes.get(keyOf(ladder))?.end.abort(LET_GO),
    hasEntered: ({ ladder }) => lanes.get(keyOf(ladder))?.entered === true,
  };
}
