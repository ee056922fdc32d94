import type { Channel, OpenChannel } from "../connection/channel.ts";

export interface FaultyChannel {
  readonly open: OpenChannel;
  /** Ends the connection; what is under way in either direction is lost. */
  cut(): void;
  /** Whatever the other side sends is lost from now on, until the connection is cut. */
  deafen(): void;
  /** Whether the next attempts to connect fail. */
  refuse(on: boolean): void;
  /** Attempts to connect so far. */
  attempts(): number;
}

/** A channel that can be made to fail. */
export function createFaultyChannel(inner: OpenChannel): FaultyChannel {
  let current: Channel | undefined;
  let refusing = false;
  let deaf = false;
  let attempts = 0;
  const isDeaf = (channel: Channel): boolean => deaf && channel === current;
  const receive = async (channel: Channel): Promise<readonly string[]> => {
    let lines = await channel.receive();
    while (lines.length > 0 && isDeaf(channel)) lines = await channel.receive();
    return lines;
  };
  return {
    open: async () => {
      attempts += 1;
      if (refusing) throw new Error("refused");
      const channel = await inner();
      current = channel;
      deaf = false;
      return { ...channel, receive: () => receive(channel) };
    },
    cut: () => current?.close(),
    deafen: () => {
      deaf = true;
    },
    refuse: (on) => {
      refusing = on;
    },
    attempts: () => attempts,
  };
}
