import type { RequestName } from "claw-contract";
import { REQUEST_NAMES } from "claw-contract";
import { isReplyTo } from "claw-contract/checks";
import { expect, onTestFinished } from "vitest";
import type { Accept } from "../transports/transport.ts";

type Frame = Readonly<Record<string, unknown>>;

const NAMES: ReadonlySet<unknown> = new Set(REQUEST_NAMES);

function parse(text: string): Frame {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Frame) : {};
  } catch {
    return {};
  }
}

/** Whether a reply breaks the promise of its request. A refusal promises nothing. */
const isBroken = (name: unknown, reply: Frame): boolean =>
  reply["ok"] === true && NAMES.has(name) && !isReplyTo(name as RequestName, reply);

/** A way into the bus that fails the test it serves when a reply does not fit the contract of its request. */
export function checkedReplies(accept: Accept): Accept {
  const problems: string[] = [];
  onTestFinished(() => expect(problems).toEqual([]));
  return (connection, entrance) => {
    const asked = new Map<unknown, unknown>();
    const send = (frame: string): void => {
      if (asked.size > 0 && !frame.startsWith('{"push"')) {
        const reply = parse(frame);
        const name = asked.get(reply["rid"]);
        asked.delete(reply["rid"]);
        if (isBroken(name, reply)) problems.push(`${String(name)}: ${frame}`);
      }
      connection.send(frame);
    };
    const handler = accept({ ...connection, send }, entrance);
    return {
      ...handler,
      line: (text) => {
        const { id, cmd } = parse(text);
        // A client that uses an id again before the reply makes it unclear what the reply is about.
        if (id !== undefined) asked.set(id, asked.has(id) ? undefined : cmd);
        handler.line(text);
      },
    };
  };
}
