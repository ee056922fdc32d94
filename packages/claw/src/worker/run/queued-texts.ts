import { randomUUID } from "node:crypto";
import type { Command } from "claw-client";
import { COMMAND_LIMITS, LIMITS } from "claw-contract";
import type { AgentRun, RunBatch } from "../../harness/index.ts";
import type { LifeParts } from "../worker-life.ts";
import { tell } from "../worker-life.ts";

interface QueuedText {
  readonly command: Command;
  readonly text: string;
  readonly id: string;
  /** Time in milliseconds until which the text waits; the sender knows this limit. */
  readonly expiresAt: number;
}

/** Texts for the agent, from their arrival until the agent has confirmed them. Oldest first. */
export interface QueuedTexts {
  /** Adds a text. Returns false when too many texts wait already. */
  add(command: Command, text: string): boolean;
  /** Sends as many texts as the run accepts now. */
  offer(run: AgentRun): void;
  /** Takes a run's reports about the texts sent to the agent. */
  settle(said: RunBatch["said"]): void;
  /** A run has ended: texts the run did not take wait again. */
  runEnded(): void;
  /** Number of waiting texts. Expired texts do not count. */
  waiting(): number;
  /** All waiting texts, joined into a prompt for a separate run. */
  asPrompt(): string;
  /** The run for the prompt has begun, and its process has the texts. Calling `taken` confirms the texts. */
  promptGiven(run: AgentRun): { taken(): void };
  /** Refuses all texts: the agent will not take any more. */
  refuse(reason: string): void;
}

type Step = Parameters<LifeParts["worker"]["step"]>[1];

/** The parts of the worker's context that the queue uses. */
export interface TextPlace extends Pick<LifeParts, "log" | "now"> {
  readonly worker: Pick<LifeParts["worker"], "step" | "signal">;
}

/** Reports the steps of a text in order. */
function createSteps(life: TextPlace) {
  const { worker } = life;
  const step = ({ command }: QueuedText, input: Step): void =>
    tell(life, `step ${input.step}`, worker.step(command, { route: "input", ...input }));
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
  readonly #life: TextPlace;
  readonly #steps: ReturnType<typeof createSteps>;
  #waiting: QueuedText[] = [];
  #said = new Map<string, QueuedText>();
  readonly #read = new Set<string>();

  constructor(life: TextPlace) {
    this.#life = life;
    this.#steps = createSteps(life);
  }

  add(command: Command, text: string): boolean {
    const size = this.#waiting.reduce((sum, waiting) => sum + waiting.text.length, text.length);
    if (this.#waiting.length >= LIMITS.workerTexts || size > LIMITS.workerTextBytes) return false;
    const expiresAt = this.#life.now() + COMMAND_LIMITS.commandQueuedMs;
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
    tell(this.#life, "signal", this.#steps.taken(text, this.#read.delete(text.id)));
  }

  /** Refuses expired texts. The sender already knows about the expiry, and may have sent another text since. */
  #expire(): void {
    const now = this.#life.now();
    const late = this.#waiting.filter(({ expiresAt }) => expiresAt <= now);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ expiresAt }) => expiresAt > now);
    for (const text of late) this.#steps.refused(text, "it waited too long");
  }
}

export const createQueuedTexts = (life: TextPlace): QueuedTexts => new TextQueue(life);
