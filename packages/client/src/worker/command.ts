import { isObject } from "claw-contract/client";
import type { BusItem } from "../subscriptions/bus-item.ts";

/** A message from an orchestrator, or from the bus, that tells a worker to act. */
export interface Command {
  /** The id of the command's event; `seq:` and the sequence when the event has no envelope. */
  readonly id: string;
  readonly sequence: number;
  /** `approve`, `abort`, `set_phase` and so on. */
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The id of the worker's question that the command answers; undefined for other commands. */
  readonly correlationId: string | undefined;
  readonly from: string;
  readonly topic: string;
  readonly cursor: string;
}

/** Reads `cmd.<peer>.<action>` and `cmd.role.<role>`; undefined for anything else. */
export function readCommand(item: BusItem): Command | undefined {
  if (item.kind !== "event") return undefined;
  const [namespace, target, ...rest] = item.topic.split(".");
  if (namespace !== "cmd" || rest.length === 0) return undefined;
  const data = isObject(item.data) ? item.data : {};
  const action = target === "role" ? data["command"] : rest.join(".");
  if (typeof action !== "string") return undefined;
  const correlation = data["correlation_id"] ?? item.envelope?.correlation_id;
  return {
    id: item.envelope?.id ?? `seq:${item.sequence}`,
    sequence: item.sequence,
    action,
    data,
    correlationId: typeof correlation === "string" ? correlation : undefined,
    from: item.from,
    topic: item.topic,
    cursor: item.cursor,
  };
}
