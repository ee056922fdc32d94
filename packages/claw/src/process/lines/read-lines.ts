import type { Socket } from "node:net";
import type { LineFields } from "claw-contract";
import { createLineFramer, readFrameLine } from "claw-contract";

/**
 * Reads the lines of JSON from a socket, in order. A line that is too long, that is no JSON object, or that `take` does
 * not understand ends the connection: `take` then returned false.
 */
export function readLines(socket: Socket, maxLineBytes: number, take: (frame: LineFields) => boolean): void {
  const framer = createLineFramer({ maxLineBytes });
  const isUnderstood = (bytes: Uint8Array): boolean => {
    const frame = readFrameLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
    return frame !== undefined && take(frame);
  };
  socket.on("data", (chunk: Buffer) => {
    for (const line of framer.push(chunk)) {
      if (line.kind !== "line" || !isUnderstood(line.bytes)) return void socket.destroy();
    }
    if (framer.pendingBytes() > maxLineBytes) socket.destroy();
    return undefined;
  });
  socket.on("error", () => socket.destroy());
}
