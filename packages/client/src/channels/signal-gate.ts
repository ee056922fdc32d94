/** Lets those who wait go on, once each. */
export interface SignalGate {
  wait(): Promise<void>;
  open(): void;
}

export function createSignalGate(): SignalGate {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    open: () => {
      const all = waiting;
      waiting = [];
      for (const resume of all) resume();
    },
  };
}
