/** Resolves when every promise that can settle has. Client and bus share a process here, and wait for promises only. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
