import type { Channel, OpenChannel } from "../channel.ts";

export interface FaultyChannel {
  readonly open: OpenChannel;
  /** Ends the connection; what is under way in either direction is lost. */
  cut(): void;
  /** Whether the next attempts to connect fail. */
  refuse(on: boolean): void;
  /** Attempts to connect so far. */
  attempts(): number;
}

/** A channel that can be made to fail. */
export function createFaultyChannel(inner: OpenChannel): FaultyChannel {
  let current: Channel | undefined;
  let refusing = false;
  let attempts = 0;
  return {
    open: async () => {
      attempts += 1;
      if (refusing) throw new Error("refused");
      current = await inner();
      return current;
    },
    cut: () => current?.close(),
    refuse: (on) => {
      refusing = on;
    },
    attempts: () => attempts,
  };
}
