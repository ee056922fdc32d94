import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../claw/src/process/testing/until.ts";
import type { Channel, OpenChannel } from "./channel.ts";

/** The other end of a channel. */
export interface ChannelServer {
  readonly open: OpenChannel;
  /** Lines received from clients. */
  readonly lines: string[];
  /** Sends a line to the latest client. */
  send(line: string): void;
  /** Whether lines wait because the client reads none, or the client has hung up on them. */
  held(): boolean;
  /** Ends the latest connection after what was sent. */
  hangUp(): void;
  /** Whether the latest client is gone. */
  gone(): boolean;
  stop(): Promise<void>;
}

async function begin(start: () => Promise<ChannelServer>): Promise<{ server: ChannelServer; channel: Channel }> {
  const server = await start();
  const channel = await server.open();
  onTestFinished(async () => {
    channel.close();
    await server.stop();
  });
  return { server, channel };
}

async function receive(channel: Channel, count: number): Promise<string[]> {
  const all: string[] = [];
  while (all.length < count) {
    const lines = await channel.receive();
    if (lines.length === 0) break;
    all.push(...lines);
  }
  return all;
}

const LINES = ["a", '{"text":"größer ✓ 🐾"}', "x".repeat(300_000), "b"];

/** What every channel does. */
export function describeChannel(name: string, start: () => Promise<ChannelServer>): void {
  describe(`${name} channel`, () => {
    test("carries lines both ways, whole and in order", async () => {
      const { server, channel } = await begin(start);
      for (const line of LINES) channel.send(line);
      await until(() => server.lines.length === LINES.length);
      expect(server.lines).toEqual(LINES);
      for (const line of LINES) server.send(line);
      expect(await receive(channel, LINES.length)).toEqual(LINES);
    });

    test("gives what was sent before the other side hung up, then ends", async () => {
      const { server, channel } = await begin(start);
      server.send("last");
      server.hangUp();
      expect(await receive(channel, 2)).toEqual(["last"]);
      expect(await channel.receive()).toEqual([]);
      expect(channel.send("into the void")).toBe(true);
      await channel.drained();
    });

    test("ends for both sides when it is closed, and may be closed again", async () => {
      const { server, channel } = await begin(start);
      const waiting = channel.receive();
      channel.close();
      channel.close();
      expect(await waiting).toEqual([]);
      await until(() => server.gone());
      channel.send("too late");
      expect(server.lines).toEqual([]);
    });

    test("sends what it was given before it is closed", async () => {
      const { server, channel } = await begin(start);
      channel.send("goodbye");
      await channel.drained();
      channel.close();
      await until(() => server.gone());
      expect(server.lines).toEqual(["goodbye"]);
    });

    test("takes a bounded amount off the wire while nobody reads, and never leaves a hole", async () => {
      const { server, channel } = await begin(start);
      const sent = Array.from({ length: 20_000 }, (_, index) => `${index} ${"x".repeat(1000)}`);
      for (const line of sent) server.send(line);
      await until(() => server.held());
      const received = await receive(channel, sent.length);
      expect(received.length).toBeGreaterThan(0);
      expect(received).toEqual(sent.slice(0, received.length));
    });

    test("says when more waits to be sent than should be, and when that is over", async () => {
      const { server, channel } = await begin(start);
      const line = "y".repeat(100_000);
      let sent = 1;
      while (channel.send(line) && sent < 50) sent += 1;
      await channel.drained();
      expect(channel.send("z")).toBe(true);
      await until(() => server.lines.length >= sent + 1);
      expect(server.lines.at(-1)).toBe("z");
    });

    test("does not open when nobody waits for it any more", async () => {
      const server = await start();
      await expect(server.open(AbortSignal.abort())).rejects.toThrow(Error);
      await server.stop();
      expect(server.lines).toEqual([]);
    });

    test("does not open when nobody is there", async () => {
      const server = await start();
      await server.stop();
      await expect(server.open()).rejects.toThrow(Error);
    });
  });
}
