/** Clients that are connected, so that all of them can be sent away. */
export interface OpenClients {
  /** Takes one in, with how to hang up on it. Returns what is to be called when it is gone. */
  add(hangUp: () => void): () => void;
  /** Hangs up on all. Resolves when the last is gone. */
  hangUp(): Promise<void>;
}

export function createOpenClients(): OpenClients {
  const open = new Set<() => void>();
  const waiting: (() => void)[] = [];
  return {
    add: (hangUp) => {
      open.add(hangUp);
      return () => {
        open.delete(hangUp);
        if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
      };
    },
    hangUp: () =>
      new Promise((resolve) => {
        if (open.size === 0) resolve();
        else waiting.push(resolve);
        for (const hangUp of open) hangUp();
      }),
  };
}
