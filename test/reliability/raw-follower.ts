import type { Socket } from "node:net";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onLines } from "../../packages/claw/src/process/testing/json-lines.ts";

export type Push = Readonly<Record<string, unknown>>;

/** A client that writes its own frames, comes back by itself, and forgives nothing: whatever it is pushed counts. */
export interface RawFollower {
  /** Events in the order they were pushed, repetitions too. */
  readonly events: readonly Push[];
  /** Other pushes: `gap`, `caught-up`, `fenced`. */
  readonly others: readonly Push[];
  /** Resolves when it has subscribed for the first time, with the place in the log it was then to begin after. */
  readonly subscribed: Promise<number>;
  /** Resolves when it was pushed so many events. */
  reached(count: number): Promise<void>;
  /** Resolves when its connection of that time has been pushed all of the past. */
  caughtUp(): Promise<void>;
  /** Reads no more, or reads again. */
  pause(on: boolean): void;
  /** Cuts its connection; it comes back. */
  cut(): void;
  /** Ends it for good. */
  close(): void;
}

export interface FollowerOptions {
  readonly socket: string;
  readonly name: string;
  readonly topic: string;
  /** Without it, it begins now. */
  readonly from?: string;
}

const RETRY_MS = 5;

export function followRaw({ socket: path, name, topic, from }: FollowerOptions): RawFollower {
  const events: Push[] = [];
  const others: Push[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  let cursor: string | undefined = from;
  let current: Socket | undefined;
  let isCaughtUp = false;
  let onCaughtUp: () => void = () => undefined;
  let paused = false;
  let closed = false;
  let onSubscribed: (after: number) => void = () => undefined;
  const subscribed = new Promise<number>((resolve) => {
    onSubscribed = resolve;
  });

  const send = (socket: Socket, frame: Push): void => void socket.write(`${JSON.stringify(frame)}\n`);
  const take = (socket: Socket, frame: Push): void => {
    if (frame["rid"] === "hello") send(socket, { id: "subscribe", cmd: "subscribe", topic, fromCursor: cursor });
    if (frame["rid"] === "subscribe") {
      cursor ??= String(frame["resumeCursor"]);
      onSubscribed(Number(cursor.split(":")[1]));
    }
    if (frame["push"] === undefined) return;
    if (frame["push"] === "caught-up") {
      isCaughtUp = true;
      onCaughtUp();
    }
    if (frame["push"] !== "message") return void others.push(frame);
    cursor = String(frame["cursor"]);
    events.push(frame);
    for (const each of waiting) if (events.length >= each.count) each.resolve();
  };
  const open = (): void => {
    const socket = connect(path);
    current = socket;
    onLines(socket, (line) => {
      if (socket === current) take(socket, JSON.parse(line) as Push);
    });
    socket.on("connect", () => {
      const capabilities = ["receipts", "gap"];
      send(socket, { id: "hello", cmd: "hello", protocol: "claws/2", role: "observer", peerName: name, capabilities });
      if (paused) socket.pause();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      isCaughtUp = false;
      if (!closed) void setTimeout(RETRY_MS).then(() => closed || open());
    });
  };
  open();
  return {
    events,
    others,
    subscribed,
    reached: (count) =>
      new Promise((resolve) => {
        if (events.length >= count) resolve();
        else waiting.add({ count, resolve });
      }),
    caughtUp: () =>
      new Promise((resolve) => {
        if (isCaughtUp) resolve();
        else onCaughtUp = resolve;
      }),
    pause: (on) => {
      paused = on;
      if (on) current?.pause();
      else current?.resume();
    },
    cut: () => current?.destroy(),
    close: () => {
      closed = true;
      current?.destroy();
    },
  };
}
