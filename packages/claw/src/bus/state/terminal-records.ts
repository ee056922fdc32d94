import { LIMITS, nonEmptyText, numberOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { CommittedEvent, StoredProjection } from "./projection.ts";
import { fieldsOf } from "../wire/read-payload.ts";

/** State of a terminal, according to the log. */
export interface TerminalRecord {
  readonly terminalId: string;
  readonly name: string;
  /** As `vehicle.<id>.state` says. */
  readonly state: string;
  readonly correlationId: string | null;
  readonly workerId: string | null;
  /** Wave for which the terminal was opened, and the part in the wave. Both are absent in older records. */
  readonly waveId?: string | undefined;
  readonly waveRole?: string | undefined;
  /** Number of the newest fact that was written down. */
  readonly fact: number;
  readonly openedAt: string;
  /** The machine that opened the terminal; absent in a log with one writer. */
  readonly machine?: string | undefined;
}

/** A command in a shell, and where its output stands. */
export interface RanRecord {
  readonly seq: number;
  readonly terminalId: string;
  readonly terminalName: string;
  readonly commandLine: string;
  readonly exitCode: number | null;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly from: number;
  readonly to: number;
}

export interface TerminalRecords extends StoredProjection {
  get(terminalId: string): TerminalRecord | undefined;
  /** Records of terminals that are not closed, oldest first. */
  open(): readonly TerminalRecord[];
  /** Records of terminals opened for a wave, oldest first. */
  ofWave(waveId: string): readonly TerminalRecord[];
  /** Commands, oldest first, beyond a sequence. */
  history(since: number): readonly RanRecord[];
  /** The highest number a terminal ever had. */
  highest(): number;
  /** A number that no terminal ever had. */
  issue(): number;
}

interface Saved {
  readonly records: readonly TerminalRecord[];
  readonly ran: readonly RanRecord[];
  readonly issued: number;
}

const PATTERNS = ["vehicle.*.state", "vehicle.*.content", "command.*.start", "command.*.end"];

const newRecord = (terminalId: string, openedAt: string, machine: string | undefined): TerminalRecord => ({
  terminalId,
  name: terminalId,
  state: "PROVISIONING",
  correlationId: null,
  workerId: null,
  fact: 0,
  openedAt,
  ...(machine === undefined ? {} : { machine }),
});

const withFact = (record: TerminalRecord, fields: JsonObject): TerminalRecord => ({
  ...record,
  fact: Math.max(record.fact, numberOf(fields["fact"]) ?? 0),
});

function withState(record: TerminalRecord, fields: JsonObject): TerminalRecord {
  return withFact(
    {
      ...record,
      name: nonEmptyText(fields["name"]) ?? record.name,
      state: nonEmptyText(fields["to"]) ?? record.state,
      correlationId: nonEmptyText(fields["correlation_id"]) ?? record.correlationId,
      workerId: nonEmptyText(fields["worker_id"]) ?? record.workerId,
      waveId: nonEmptyText(fields["waveId"]) ?? record.waveId,
      waveRole: nonEmptyText(fields["waveRole"]) ?? record.waveRole,
    },
    fields,
  );
}

const ranOf = ({ sequence, payload }: CommittedEvent, name: string, terminalId: string): RanRecord => {
  const fields = fieldsOf(payload);
  const endedAt = Date.parse(nonEmptyText(fields["endedAt"]) ?? "") || 0;
  return {
    seq: sequence,
    terminalId,
    terminalName: name,
    commandLine: nonEmptyText(fields["command"]) ?? "",
    exitCode: numberOf(fields["exitCode"]) ?? null,
    startedAt: endedAt - (numberOf(fields["durationMs"]) ?? 0),
    endedAt,
    from: numberOf(fields["from"]) ?? 0,
    to: numberOf(fields["to"]) ?? 0,
  };
};

export function createTerminalRecords(): TerminalRecords {
  const records = new Map<string, TerminalRecord>();
  let ran: RanRecord[] = [];
  let issued = 0;
  const isClosed = ({ state }: TerminalRecord): boolean => state === "CLOSED";
  const forget = (): void => {
    const closed = [...records.values()].filter(isClosed);
    if (closed.length > LIMITS.closedRecords && closed[0] !== undefined) records.delete(closed[0].terminalId);
  };
  return {
    patterns: PATTERNS,
    apply: (event) => {
      const { topic, from, payload, tsServer, machine } = event;
      const [, id = "", kind] = topic.split(".");
      const fields = fieldsOf(payload);
      if (from !== "server") return;
      const known = records.get(id);
      if (kind === "state") {
        records.set(id, withState(known ?? newRecord(id, tsServer, machine), fields));
        issued = Math.max(issued, /^\d{1,15}$/.test(id) ? Number(id) : 0);
        if (fields["to"] === "CLOSED") forget();
      } else if (known !== undefined) records.set(id, withFact(known, fields));
      if (kind === "end") ran = [...ran, ranOf(event, known?.name ?? id, id)].slice(-LIMITS.historyCommands);
    },
    save: (): Saved => ({ records: [...records.values()], ran, issued }),
    load: (saved) => {
      const stored = saved as Saved;
      for (const record of stored.records) records.set(record.terminalId, record);
      ran = [...stored.ran];
      issued = stored.issued;
    },
    get: (terminalId) => records.get(terminalId),
    open: () => [...records.values()].filter((record) => !isClosed(record)),
    ofWave: (waveId) => [...records.values()].filter((record) => record.waveId === waveId),
    history: (since) => ran.filter(({ seq }) => seq > since),
    highest: () => issued,
    issue: () => (issued += 1),
  };
}
