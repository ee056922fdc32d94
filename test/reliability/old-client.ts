import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { onLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";

/** A connection that writes bytes as they are given and keeps lines as they come. */
export interface OldClient {
  /** Sends a line, its end included by the caller or not at all. */
  write(bytes: string): void;
  /** The line with that number, counted from 0, once it is there. */
  line(number: number): Promise<string>;
  /** Every line so far. */
  readonly lines: readonly string[];
  close(): void;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
}

export async function connectOld(path: string): Promise<OldClient> {
  const socket = connect(path);
  const lines: string[] = [];
  const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  onLines(socket, (line) => void lines.push(line));
  await new Promise<void>((resolve) => void socket.once("connect", () => resolve()));
  onTestFinished(() => void socket.destroy());
  return {
    write: (bytes) => void socket.write(bytes),
    line: (number) => until(`line ${number}`, () => lines[number]),
    lines,
    close: () => void socket.destroy(),
    closed,
  };
}

/** Asks as one-shot clients do: the first line that comes is the answer, and the connection is thrown away. */
export async function askOnce(path: string, line: string): Promise<string> {
  const client = await connectOld(path);
  client.write(`${line}\n`);
  const answer = await client.line(0);
  client.close();
  return answer;
}
