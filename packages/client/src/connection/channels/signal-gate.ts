/** Callers wait at the gate. `open` lets each waiting caller continue once; later callers wait for the next `open`. */
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
