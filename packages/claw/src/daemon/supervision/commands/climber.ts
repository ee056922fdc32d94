import type { CommandLadder, CommandWaits, Rung } from "claw-contract";
import {
  climb,
  COMMAND_WAITS,
  commandDeadline,
  INPUT_WAITS,
  isUrgent,
  ladderDeadline,
  ladderRoute,
  URGENT_WAITS,
} from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";
import type { CommandMemory, OpenCommand } from "./command-memory.ts";
import { keyOf } from "./command-memory.ts";
import type { ShownStep } from "./shown-steps.ts";

/** How long commands may stand on each step. */
export interface StepWaits {
  readonly plain: CommandWaits;
  readonly urgent: CommandWaits;
  /** For commands that go through the agent's own input. */
  readonly input: CommandWaits;
}

export const STEP_WAITS: StepWaits = { plain: COMMAND_WAITS, urgent: URGENT_WAITS, input: INPUT_WAITS };

/** Takes steps of commands. Each step is stored once; steps on their way into the log count as taken. */
export interface Climber {
  /** The steps a command has taken; undefined when the command has ended. */
  ladderOf(command: OpenCommand): CommandLadder | undefined;
  /**
   * Takes a step if the step is legal. Resolves with true when the step is in the log, and with false when the step was
   * not legal or could not be written. Never rejects.
   */
  take(command: OpenCommand, shown: ShownStep): Promise<boolean>;
}

function waitsFor({ action }: CommandLadder, route: Rung["route"], waits: StepWaits): CommandWaits {
  if (isUrgent(action)) return waits.urgent;
  return route === "input" ? waits.input : waits.plain;
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The event that tells of a step. */
function eventOf(ladder: CommandLadder, { step, at, evidence, deadline, reason }: Rung) {
  const { commandId, targetPeerId, cmdTopic, from, sequence } = ladder;
  const about = { commandId, targetPeerId, cmdTopic, from, sequence };
  const facts = { route: ladderRoute(ladder), evidence, deadline: iso(deadline), ts: iso(at) };
  const payload = { ...about, ...facts, ...(reason === undefined ? {} : { reason }) };
  return { topic: `system.command.${step}`, payload };
}

interface OnItsWay {
  readonly ladder: CommandLadder;
  readonly writes: number;
}

export function createClimber(host: BusHost, memory: CommandMemory, waits: StepWaits): Climber {
  const ways = new Map<string, OnItsWay>();
  const ladderOf: Climber["ladderOf"] = ({ ladder }) => ways.get(keyOf(ladder))?.ladder ?? memory.get(ladder)?.ladder;
  const written = (key: string): void => {
    const way = ways.get(key);
    if (way === undefined) return;
    if (way.writes > 1) ways.set(key, { ...way, writes: way.writes - 1 });
    else ways.delete(key);
  };
  return {
    ladderOf,
    take: (command, { step, evidence, route, reason }) => {
      const ladder = ladderOf(command);
      const key = keyOf(command.ladder);
      if (ladder === undefined) return Promise.resolve(false);
      const at = host.now();
      const deadline = commandDeadline(step, at, waitsFor(ladder, route ?? ladderRoute(ladder), waits));
      const rung = { step, at, evidence, route: route ?? null, deadline, ...(reason === undefined ? {} : { reason }) };
      const climbed = climb(ladder, rung);
      if (climbed.kind === "refused") return Promise.resolve(false);
      ways.set(key, { ladder: climbed.ladder, writes: (ways.get(key)?.writes ?? 0) + 1 });
      return new Promise((resolve) => {
        host.publish([eventOf(climbed.ladder, rung)], (outcome) => {
          written(key);
          if (outcome instanceof Error) host.report(`command ${ladder.commandId}: ${step}: ${outcome.message}`);
          resolve(!(outcome instanceof Error));
        });
      });
    },
  };
}

/**
 * When a command expires. For a command that waits to be given to its worker, the wait begins anew after a start or a
 * sleep.
 */
export function expiresAt(ladder: CommandLadder, listeningSince: number, waits: StepWaits): number {
  const deadline = ladderDeadline(ladder) ?? Infinity;
  const step = ladder.rungs.at(-1)?.step ?? "accepted";
  if (step !== "accepted" && step !== "queued") return deadline;
  const wait = waitsFor(ladder, ladderRoute(ladder), waits)[step] ?? 0;
  return Math.max(deadline, listeningSince + wait);
}
