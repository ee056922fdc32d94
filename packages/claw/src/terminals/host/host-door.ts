import { createHash, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { LineFields, LineReply, VersionRange } from "claw-contract";
import {
  ClawError,
  commonVersion,
  isLineRequest,
  LF,
  rangeOf,
  readFrameLine,
  readHostRequest,
  refusalFields,
  VERSIONS,
} from "claw-contract";

import { hostMismatch } from "../host-mismatch.ts";

export interface HostDoorOptions {
  readonly token: string;
  /**
   * Receives a connection that has shown the token. The next byte on the socket is the first of the client's next
   * request.
   */
  readonly enter: (socket: Socket) => void;
  /** How long a connection may take to show the token. */
  readonly patienceMs?: number;
}

/** Admits only clients that show the host's token. */
export interface HostDoor {
  /** Takes a new connection, and closes it unless it shows the token in time. */
  knock(socket: Socket): void;
  /** Closes every connection that has not shown the token. */
  close(): void;
}

/** Bytes of the line with the token. */
export const HELLO_BYTES = 16 * 1024;
/** Number of connections that have not shown the token yet. A further connection displaces the oldest. */
export const STRANGERS = 64;
const PATIENCE_MS = 5000;
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The fields of a client's first line; undefined when the line is no hello. */
function readHello(frame: LineFields): { readonly token: string; readonly versions?: unknown } | undefined {
  const hello = frame["cmd"] === "hello" ? readHostRequest("hello", frame) : undefined;
  return hello?.kind === "read" ? hello.fields : undefined;
}

const noToken = (): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", "the terminal host was not shown its token", {
    operation: "hello",
    target: "terminal-host",
  });

/** The reply to a client's first line: whether the line shows the token, and the version to speak. */
export function judgeHello(line: Uint8Array, token: string, own: VersionRange = VERSIONS.terminalHost): LineReply {
  const frame = readFrameLine(Buffer.from(line).toString("utf8")) ?? {};
  const hello = readHello(frame);
  const rid = isLineRequest(frame) ? frame.id : 0;
  const refuse = (reason: ClawError): LineReply => ({
    rid,
    ok: false,
    ...refusalFields(reason, "TERMINAL_HOST_FAILED"),
  });
  if (hello === undefined || !timingSafeEqual(digest(hello.token), digest(token))) return refuse(noToken());
  const theirs = rangeOf(hello.versions);
  const version = commonVersion(own, theirs);
  return version === undefined ? refuse(hostMismatch(own, theirs)) : { rid, ok: true, version };
}

/** Reads only the first line of a connection. `told` receives the line, or undefined when the line is too long. */
function readFirstLine(socket: Socket, told: (line: Buffer | undefined) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf(LF);
    if (end === -1 && bytes.length <= HELLO_BYTES) return;
    socket.off("data", read).pause();
    if (end === -1 || end > HELLO_BYTES) return told(undefined);
    if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
    return told(bytes.subarray(0, end));
  };
  socket.on("data", read);
}

export function createHostDoor({ token, enter, patienceMs = PATIENCE_MS }: HostDoorOptions): HostDoor {
  const strangers = new Map<Socket, () => void>();
  const knock = (socket: Socket): void => {
    const turnAway = (): void => void socket.destroy();
    const timer = setTimeout(turnAway, patienceMs);
    const gone = (): void => {
      clearTimeout(timer);
      strangers.delete(socket);
    };
    socket.on("error", turnAway).once("close", gone);
    readFirstLine(socket, (line) => {
      if (line === undefined) return turnAway();
      const reply = judgeHello(line, token);
      if (!reply.ok) return void socket.end(`${JSON.stringify(reply)}\n`, turnAway);
      gone();
      socket.off("close", gone).off("error", turnAway);
      socket.write(`${JSON.stringify(reply)}\n`);
      enter(socket);
      return void socket.resume();
    });
    strangers.set(socket, turnAway);
    if (strangers.size > STRANGERS) strangers.values().next().value?.();
  };
  return { knock, close: () => strangers.forEach((turnAway) => turnAway()) };
}
