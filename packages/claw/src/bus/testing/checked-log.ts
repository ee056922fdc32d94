import { readEvent } from "claw-contract/schemas";
import { expect, onTestFinished } from "vitest";
import type { EventLog, NewEvent } from "../log/event-log.ts";

/** Whether the server made up an event, be it in the name of a peer. */
const isServers = ({ topic, from }: NewEvent): boolean =>
  from === "server" || topic === "system.broadcast" || /^cmd\.[^.]+\.ack$/.test(topic);

function problemOf(event: NewEvent): string | undefined {
  const { topic, payload } = event;
  if (!isServers(event)) return undefined;
  const reading = readEvent(topic, payload === undefined ? undefined : JSON.parse(payload));
  return reading.ok ? undefined : `${topic}: ${JSON.stringify(reading)}`;
}

/** A log that fails the test it serves when the server writes what has no schema, or does not fit it. */
export function checkedLog(log: EventLog): EventLog {
  const problems: string[] = [];
  onTestFinished(() => expect(problems).toEqual([]));
  return {
    ...log,
    append: (event, listener) => {
      const problem = problemOf(event);
      if (problem !== undefined) problems.push(problem);
      log.append(event, listener);
    },
  };
}
