import { randomUUID } from "node:crypto";
import type { Command } from "@claw/client";
import { COMMAND_LIMITS, LIMITS } from "@claw/contract";
import type { AgentRun, RunBatch } from "../harness/index.ts";
import type { Shift } from "./shift.ts";
import { tell } from "./shift.ts";

interface QueuedText {
  readonly command: Command;
  readonly text: string;
  readonly id: string;
  /** In milliseconds; it waits until then, as its sender was told. */
  readonly expiresAt: number;
}

/** Texts for the agent, from the moment they come until it is known that it took them. Oldest first. */
export interface QueuedTexts {
  /** Takes one in. False when too many wait already. */
  add(command: Command, text: string): boolean;
  /** Says as many as the run takes now. */
  offer(run: AgentRun): void;
  /** What a run told of those that were said to it. */
  settle(said: RunBatch["said"]): void;
  /** A run ended: what it did not take waits again. */
  runEnded(): void;
  /** How many wait. Those whose time is over do not. */
  waiting(): number;
  /** All that wait, as one prompt for a run of their own. */
  asPrompt(): string;
  /** That run is there; they are in its process, and taken when `taken` is called. */
  promptGiven(run: AgentRun): { taken(): void };
  /** Nobody will take them any more. */
  refuse(reason: string): void;
}

type Step = Parameters<Shift["worker"]["step"]>[1];

/** What texts need of a shift. */
export interface TextPlace extends Pick<Shift, "log" | "now"> {
  readonly worker: Pick<Shift["worker"], "step" | "signal">;
}

/** Reports the steps of one text in order. */
function createSteps(shift: TextPlace) {
  const { worker } = shift;
  const step = ({ command }: QueuedText, input: Step): void =>
    tell(shift, `step ${input.step}`, worker.step(command, { route: "input", ...input }));
  return {
    queued: (text: QueuedText) =>
      step(text, { step: "queued", evidence: { kind: "sequence", value: text.command.sequence } }),
    injected: (text: QueuedText, pid: number) =>
      step(text, { step: "injected", evidence: { kind: "process", value: pid } }),
    refused: (text: QueuedText, reason: string) =>
      step(text, { step: "refused", evidence: { kind: "sequence", value: text.command.sequence }, reason }),
    read: (text: QueuedText) => step(text, { step: "submitted", evidence: { kind: "signal", value: "read" } }),
    taken: async (text: QueuedText, wasRead: boolean): Promise<void> => {
      if (!wasRead) step(text, { step: "submitted", evidence: { kind: "signal", value: "taken" } });
      const { sequence } = await worker.signal("activity", {
        source: "stream",
        detail: `took text ${text.command.id}`,
      });
      for (const name of ["acked", "applied"] as const) {
        step(text, { step: name, evidence: { kind: "sequence", value: sequence } });
      }
    },
  };
}

class TextQueue implements QueuedTexts {
  readonly #shift: TextPlace;
  readonly #steps: ReturnType<typeof createSteps>;
  #waiting: QueuedText[] = [];
  #said = new Map<string, QueuedText>();
  readonly #read = new Set<string>();

  constructor(shift: TextPlace) {
    this.#shift = shift;
    this.#steps = createSteps(shift);
  }

  add(command: Command, text: string): boolean {
    const size = this.#waiting.reduce((sum, waiting) => sum + waiting.text.length, text.length);
    if (this.#waiting.length >= LIMITS.workerTexts || size > LIMITS.workerTextBytes) return false;
    const expiresAt = this.#shift.now() + COMMAND_LIMITS.commandQueuedMs;
    const queued = { command, text, id: randomUUID(), expiresAt };
    this.#waiting.push(queued);
    this.#steps.queued(queued);
    return true;
  }

  offer(run: AgentRun): void {
    this.#expire();
    for (let [next] = this.#waiting; next !== undefined && run.say(next.text, next.id); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#said.set(next.id, next);
      this.#steps.injected(next, run.pid);
    }
  }

  settle(said: RunBatch["said"]): void {
    for (const { id, fate } of said) {
      const text = this.#said.get(id);
      if (text === undefined) continue;
      if (fate === "read") {
        this.#read.add(id);
        this.#steps.read(text);
        continue;
      }
      this.#said.delete(id);
      if (fate === "taken") this.#taken(text);
      else this.#waiting.unshift(text);
    }
  }

  runEnded(): void {
    this.#waiting = [...this.#said.values(), ...this.#waiting];
    this.#said = new Map();
  }

  waiting(): number {
    this.#expire();
    return this.#waiting.length;
  }

  asPrompt(): string {
    return this.#waiting.map(({ text }) => text).join("\n\n");
  }

  promptGiven(run: AgentRun): { taken(): void } {
    const given = this.#waiting;
    this.#waiting = [];
    for (const text of given) {
      this.#said.set(text.id, text);
      this.#steps.injected(text, run.pid);
    }
    return {
      taken: () => {
        for (const text of given) if (this.#said.delete(text.id)) this.#taken(text);
      },
    };
  }

  refuse(reason: string): void {
    this.runEnded();
    for (const text of this.#waiting.splice(0)) this.#steps.refused(text, reason);
  }

  #taken(text: QueuedText): void {
    tell(this.#shift, "signal", this.#steps.taken(text, this.#read.delete(text.id)));
  }

  /** Whoever sent it was told that it is over, and may have said something else since. */
  #expire(): void {
    const now = this.#shift.now();
    const late = this.#waiting.filter(({ expiresAt }) => expiresAt <= now);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ expiresAt }) => expiresAt > now);
    for (const text of late) this.#steps.refused(text, "it waited too long");
  }
}

export const createQueuedTexts = (shift: TextPlace): QueuedTexts => new TextQueue(shift);
