import type { CommandLadder, Rung } from "claw-contract";
import {
  climb,
  COMMAND_WAITS,
  commandDeadline,
  isUrgent,
  ladderEnded,
  nonEmptyText,
  numberOf,
  URGENT_WAITS,
} from "claw-contract";
import type { CommandStep } from "claw-contract/schemas";
import { COMMAND_STEPS, envelopeId } from "claw-contract/schemas";
import type { CommittedEvent, StoredProjection } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";

/** A command to a worker that has not ended yet. */
export interface OpenCommand {
  readonly ladder: CommandLadder;
  readonly data: Readonly<Record<string, unknown>>;
  /** Id of the request that the command answers. */
  readonly correlationId: string | null;
  /** Whether typing the command into a terminal was begun. Then it is never begun again. */
  readonly begun: boolean;
  /** The last reported reason why the command is not typed or entered. */
  readonly held?: string | undefined;
}

/** Every command that has not ended, oldest first. */
export interface CommandMemory {
  readonly memory: StoredProjection;
  all(): readonly OpenCommand[];
  of(peerId: string): readonly OpenCommand[];
  get(ladder: Pick<CommandLadder, "sequence" | "targetPeerId">): OpenCommand | undefined;
  /** Whether the worker's agent is at work, according to the worker's last signal. */
  isBusy(peerId: string): boolean;
}

/** A receipt in the log directly before its command. */
interface Note {
  readonly sequence: number;
  readonly cmdTopic: string;
  readonly targetPeerId: string;
}

interface Saved {
  readonly open: readonly OpenCommand[];
  readonly notes: readonly Note[];
  readonly busy: readonly string[];
}

/** Topic of the event with the reason why a command is not typed. The event is no step of the command. */
export const HELD = "system.command.held";

const AT_WORK: ReadonlySet<unknown> = new Set(["turn_started", "activity", "tool_started", "tool_ended", "resumed"]);

export const keyOf = ({ sequence, targetPeerId }: Pick<CommandLadder, "sequence" | "targetPeerId">): string =>
  `${sequence} ${targetPeerId}`;

export const stepOf = (topic: string): CommandStep | undefined =>
  COMMAND_STEPS.find((step) => topic === `system.command.${step}`);

const millisOf = (time: unknown): number | null => {
  const at = Date.parse(nonEmptyText(time) ?? "");
  return Number.isNaN(at) ? null : at;
};

/** The step that an event of the server tells of. */
function rungOf(step: CommandStep, { payload, tsServer }: CommittedEvent): Rung {
  const { evidence, route, deadline, reason, ts } = fieldsOf(payload);
  const said = nonEmptyText(reason);
  return {
    step,
    at: millisOf(ts) ?? Date.parse(tsServer),
    evidence: (evidence ?? null) as Rung["evidence"],
    route: (route ?? null) as Rung["route"],
    deadline: millisOf(deadline),
    ...(said === undefined ? {} : { reason: said }),
  };
}

/**
 * A command as it enters the log, for one target worker. With a receipt before the command, the command counts as
 * accepted.
 */
function commandFor(event: CommittedEvent, targetPeerId: string, noted: boolean): OpenCommand {
  const { topic, from, sequence, payload, tsServer } = event;
  const fields = fieldsOf(payload);
  const toRole = topic.startsWith("cmd.role.");
  const action = (toRole ? nonEmptyText(fields["command"]) : topic.split(".").slice(2).join(".")) ?? "";
  const correlationId = nonEmptyText(fields["correlation_id"]) ?? null;
  const at = Date.parse(tsServer);
  const accepted: Rung = {
    step: "accepted",
    at,
    evidence: { kind: "sequence", value: sequence },
    route: null,
    deadline: commandDeadline("accepted", at, isUrgent(action) ? URGENT_WAITS : COMMAND_WAITS),
  };
  const commandId = envelopeId(payload) ?? `seq:${sequence}`;
  return {
    ladder: { commandId, targetPeerId, cmdTopic: topic, action, from, sequence, rungs: noted ? [accepted] : [] },
    data: toRole ? Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "command")) : fields,
    correlationId,
    begun: false,
  };
}

const placeIn = ({ payload }: CommittedEvent): string => {
  const { sequence, targetPeerId } = fieldsOf(payload);
  return keyOf({ sequence: numberOf(sequence) ?? -1, targetPeerId: nonEmptyText(targetPeerId) ?? "" });
};

/** Collects receipts in the log that stand directly before their command. */
function createNotes() {
  let notes: readonly Note[] = [];
  const before = (topic: string, sequence: number): readonly Note[] => {
    const last = notes.at(-1);
    return last?.cmdTopic === topic && last.sequence + 1 === sequence ? notes : [];
  };
  return {
    add: ({ payload, sequence }: CommittedEvent): void => {
      const { cmdTopic, targetPeerId: target } = fieldsOf(payload);
      const [topic, targetPeerId] = [nonEmptyText(cmdTopic), nonEmptyText(target)];
      if (topic === undefined || targetPeerId === undefined) return;
      notes = [...before(topic, sequence), { sequence, cmdTopic: topic, targetPeerId }];
    },
    take: ({ topic, sequence }: CommittedEvent): readonly Note[] => {
      const taken = before(topic, sequence);
      notes = [];
      return taken;
    },
    save: () => notes,
    load: (saved: readonly Note[]): void => {
      notes = saved;
    },
  };
}

/** The commands that have not ended. `isWorker` says which peers' commands are followed. */
function createOpenCommands(isWorker: (peerId: string) => boolean) {
  const open = new Map<string, OpenCommand>();
  const notes = createNotes();
  return {
    open,
    notes,
    begin: (event: CommittedEvent): void => {
      const noted = notes.take(event);
      const addressed = event.topic.split(".")[1] ?? "";
      const targets = noted.length > 0 || addressed === "role" ? noted.map((each) => each.targetPeerId) : [addressed];
      for (const target of targets.filter(isWorker)) {
        const command = commandFor(event, target, noted.length > 0);
        open.set(keyOf(command.ladder), command);
      }
    },
    step: (event: CommittedEvent, reached: CommandStep): void => {
      if (fieldsOf(event.payload)["sequence"] === undefined) return notes.add(event);
      const key = placeIn(event);
      const command = open.get(key);
      if (command === undefined) return;
      const climbed = climb(command.ladder, rungOf(reached, event));
      if (climbed.kind === "refused") return;
      if (ladderEnded(climbed.ladder)) open.delete(key);
      else open.set(key, { ...command, ladder: climbed.ladder, held: undefined });
    },
    typing: (event: CommittedEvent): void => {
      const command = open.get(placeIn(event));
      if (command !== undefined) open.set(placeIn(event), { ...command, begun: true, held: undefined });
    },
    hold: (event: CommittedEvent): void => {
      const command = open.get(placeIn(event));
      const held = nonEmptyText(fieldsOf(event.payload)["reason"]);
      if (command !== undefined) open.set(placeIn(event), { ...command, held });
    },
  };
}

/** `isWorker` says which peers' commands are followed. */
export function createCommandMemory(isWorker: (peerId: string) => boolean): CommandMemory {
  const { open, notes, begin, step, typing, hold } = createOpenCommands(isWorker);
  const busy = new Set<string>();
  const hear = (from: string, { signal, source }: Readonly<Record<string, unknown>>): void => {
    // Output of a terminal does not show that the agent works: a person who types into the prompt causes output too.
    if (source === "terminal" && signal === "activity") return;
    if (AT_WORK.has(signal)) busy.add(from);
    else busy.delete(from);
  };
  const apply = (event: CommittedEvent): void => {
    const { topic, from, payload } = event;
    const fields = fieldsOf(payload);
    const reached = stepOf(topic);
    if (topic.startsWith("cmd.")) return topic.endsWith(".ack") ? undefined : begin(event);
    if (topic.endsWith(".signal")) return hear(from, fields);
    if (from !== "server") return undefined;
    if (topic === "system.worker.spawned") return void busy.delete(nonEmptyText(fields["peerId"]) ?? "");
    if (topic === "system.typing.begun") return typing(event);
    if (topic === HELD) return hold(event);
    return reached === undefined ? undefined : step(event, reached);
  };
  const all = (): readonly OpenCommand[] => [...open.values()];
  return {
    memory: {
      patterns: ["cmd.*.*", "system.command.*", "system.typing.begun", "system.worker.spawned", "worker.*.signal"],
      apply,
      save: (): Saved => ({ open: all(), notes: notes.save(), busy: [...busy] }),
      load: (saved) => {
        const known = saved as Saved;
        for (const command of known.open) open.set(keyOf(command.ladder), command);
        for (const peerId of known.busy) busy.add(peerId);
        notes.load(known.notes);
      },
    },
    all,
    of: (peerId) => all().filter(({ ladder }) => ladder.targetPeerId === peerId),
    get: (ladder) => open.get(keyOf(ladder)),
    isBusy: (peerId) => busy.has(peerId),
  };
}
