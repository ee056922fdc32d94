import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { connect } from "node:net";

/** A WebSocket that sends whatever bytes it is told, right or wrong. */
export interface RawWebSocket {
  /** A whole text message. */
  send(text: string | Buffer): void;
  /** Bytes as they are. */
  write(bytes: Buffer): void;
  /** Resolves when the server hung up. */
  readonly closed: Promise<void>;
  end(): void;
}

const TEXT = 0x81;
const MASKED = 0x80;

/** A frame as a client has to send it: masked, here with zeros, which change nothing. */
export function textFrame(payload: Buffer, first: number = TEXT): Buffer {
  const { length } = payload;
  const small = Buffer.from([first, MASKED | length]);
  const medium = Buffer.from([first, MASKED | 126, length >> 8, length & 0xff]);
  const large = Buffer.concat([Buffer.from([first, MASKED | 127]), Buffer.alloc(8)]);
  large.writeBigUInt64BE(BigInt(length), 2);
  const head = length < 126 ? small : length < 65_536 ? medium : large;
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

function upgrade(socket: Socket, host: string, token: string): Promise<void> {
  const lines = [
    "GET / HTTP/1.1",
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    `Authorization: Bearer ${token}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once("data", (data) => {
      if (data.toString().startsWith("HTTP/1.1 101")) resolve();
      else reject(new Error(data.toString()));
    });
  });
}

export async function openRawWebSocket(url: URL, token: string): Promise<RawWebSocket> {
  const socket = connect(Number(url.port), url.hostname);
  const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  await upgrade(socket, url.host, token);
  socket.resume();
  return {
    send: (text) => void socket.write(textFrame(Buffer.from(text))),
    write: (bytes) => void socket.write(bytes),
    closed,
    end: () => void socket.end(),
  };
}
