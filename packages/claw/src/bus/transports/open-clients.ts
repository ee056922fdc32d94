/** The connected clients of a transport, to hang up on all at once. */
export interface OpenClients {
  /** Adds a client, with a function that hangs up on it. Returns a function to call when the client is gone. */
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
