import { once } from "node:events";
import type { Socket } from "node:net";
import { connect } from "node:net";
import type { Readable } from "node:stream";

export type Frame = Readonly<Record<string, unknown>>;

/** The JSON values of a text, one a line. */
export const jsonLines = <Value = Frame>(text: string): Value[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Value]));

/** A text without its last line when that line has no end yet: another process still writes it. */
export const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

/** Calls `take` with each whole line of a stream, without its end. */
export function onLines(stream: Readable, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  });
}

/** A connection that writes its frames by hand and keeps every frame it gets. */
export interface FrameSocket {
  readonly socket: Socket;
  readonly frames: Frame[];
  readonly send: (frame: Frame) => void;
}

/** Connects to a unix socket. Resolves when connected. An error later on ends the connection. */
export async function connectFrames(path: string, options: { allowHalfOpen?: boolean } = {}): Promise<FrameSocket> {
  const socket = connect({ path, ...options });
  await once(socket, "connect");
  const frames: Frame[] = [];
  socket.on("error", () => socket.destroy());
  onLines(socket, (line) => void frames.push(JSON.parse(line) as Frame));
  return { socket, frames, send: (frame) => void socket.write(`${JSON.stringify(frame)}\n`) };
}

/** Whether a server listens on a unix socket. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const done = (listening: boolean): void => {
      probe.destroy();
      resolve(listening);
    };
    probe.on("connect", () => done(true)).on("error", () => done(false));
  });
}
