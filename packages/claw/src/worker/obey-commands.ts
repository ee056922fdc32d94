import type { Command } from "claw-client";
import { HARNESS_IDS, isPhase, spawnRequest, stringOf } from "claw-contract";
import type { AgentControl } from "./run/agent-control.ts";
import type { LifeParts } from "./worker-life.ts";
import { tell } from "./worker-life.ts";

export interface Obeying {
  readonly life: LifeParts;
  readonly control: AgentControl;
  /** Takes a text for the agent. Returns the reason for a refusal, or null. */
  readonly takeText: (command: Command, text: string) => string | null;
  /** Ends the work; the command counts as applied once the agent is gone. */
  readonly abort: (command: Command) => void;
  /** Sends waiting texts to the agent, if a run can take them. */
  readonly offer: () => void;
}

type Step = Parameters<LifeParts["worker"]["step"]>[1];

const from = ({ sequence }: Command): Step["evidence"] => ({ kind: "sequence", value: sequence });

/** Carries out a command and reports the steps. Rejects with the reason for a failure. */
type Obey = (command: Command, obeying: Obeying) => Promise<void>;

const report = ({ life }: Obeying, command: Command, input: Step): void =>
  tell(life, `step ${input.step}`, life.worker.step(command, input));

const refuseCommand = (obeying: Obeying, command: Command, reason: string): void =>
  report(obeying, command, { step: "refused", evidence: from(command), reason });

/** Publishes the new state of the agent's process, and reports the command as applied. */
async function tellProcess(obeying: Obeying, command: Command, signal: "paused" | "resumed", pid: number | null) {
  const { worker } = obeying.life;
  const { reason } = command.data;
  const detail = signal === "paused" && typeof reason === "string" && reason !== "" ? { detail: reason } : {};
  const { sequence } = await worker.signal(signal, { source: "process", ...detail });
  const evidence: Step["evidence"] =
    pid === null ? { kind: "sequence", value: sequence } : { kind: "process", value: `${pid} ${signal}` };
  report(obeying, command, { step: "applied", evidence });
}

const pause: Obey = async (command, obeying) => {
  report(obeying, command, { step: "acked", evidence: from(command) });
  await tellProcess(obeying, command, "paused", await obeying.control.pause());
};

const resume: Obey = async (command, obeying) => {
  report(obeying, command, { step: "acked", evidence: from(command) });
  await tellProcess(obeying, command, "resumed", await obeying.control.resume());
  obeying.offer();
};

const setPhase: Obey = async (command, obeying) => {
  const { phase, reason } = command.data;
  if (!isPhase(phase)) return refuseCommand(obeying, command, "no such phase");
  const { worker } = obeying.life;
  const { sequence } = await worker.phase(phase, typeof reason === "string" && reason !== "" ? reason : "told to");
  const evidence = { kind: "sequence", value: sequence } as const;
  report(obeying, command, { step: "acked", evidence });
  report(obeying, command, { step: "applied", evidence });
};

/** Spawns a child worker for this worker. The bus limits the child to the rights of this worker. */
const spawn: Obey = async (command, obeying) => {
  const { worker, job } = obeying.life;
  const { name, mission, model, harness } = command.data;
  report(obeying, command, { step: "acked", evidence: from(command) });
  const agent = harness === undefined ? job.harness : HARNESS_IDS.find((id) => id === harness);
  if (agent === undefined) return refuseCommand(obeying, command, `harness is none of ${HARNESS_IDS.join(", ")}`);
  const asked = { name: stringOf(name), mission: stringOf(mission) ?? "", model: stringOf(model) };
  const { pid } = await worker.request("worker.spawn", spawnRequest({ ...asked, harness: agent, cwd: job.cwd }));
  report(obeying, command, { step: "applied", evidence: { kind: "process", value: pid } });
};

const injectText: Obey = async (command, obeying) => {
  const { text } = command.data;
  if (typeof text !== "string" || text === "") return refuseCommand(obeying, command, "there is no text");
  const problem = obeying.takeText(command, text);
  if (problem !== null) refuseCommand(obeying, command, problem);
};

/** Answers to open questions go directly to the waiting code. An answer that arrives here matches no open question. */
const refuseAnswer: Obey = async (command, obeying) => refuseCommand(obeying, command, "nothing waits for this answer");

const COMMANDS: Readonly<Record<string, Obey>> = {
  abort: async (command, { abort }) => abort(command),
  pause,
  resume,
  set_phase: setPhase,
  spawn,
  inject_text: injectText,
  approve: refuseAnswer,
  reject: refuseAnswer,
  unblock: refuseAnswer,
};

/** Whether this life has to carry out a command. Commands that an earlier life took are skipped. */
const isFor = ({ commands: { after, waiting } }: LifeParts["job"], { sequence }: Command): boolean =>
  sequence > after || waiting.includes(sequence);

/** Carries out commands as they arrive, until the client ends. Commands do not wait for each other. */
export async function obeyCommands(obeying: Obeying): Promise<void> {
  const { worker, log, job } = obeying.life;
  for await (const command of worker.commands()) {
    if (!isFor(job, command)) continue;
    const obey = Object.hasOwn(COMMANDS, command.action) ? COMMANDS[command.action] : undefined;
    if (obey === undefined) {
      // Acknowledgements arrive on the command topics too.
      if (command.action !== "ack") refuseCommand(obeying, command, `${command.action} is no command of this worker`);
      continue;
    }
    obey(command, obeying).catch((error: unknown) => {
      log(`${command.action} failed: ${String(error)}`);
      refuseCommand(obeying, command, error instanceof Error ? error.message : "it failed");
    });
  }
}
