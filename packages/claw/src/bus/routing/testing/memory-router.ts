import { machineAway } from "../machine-away.ts";
import type { Answer, Router } from "../router.ts";

/** The routers of machines in one process. */
export interface MemoryRoutes {
  open(machine: string): Router;
  /** The machine answers no more; questions under way are rejected. */
  cut(machine: string): void;
}

interface Place {
  answer: Answer | undefined;
  /** Reject the questions under way. */
  readonly waiting: Set<(error: Error) => void>;
}

export function createMemoryRoutes(): MemoryRoutes {
  const places = new Map<string, Place>();
  return {
    cut: (machine) => {
      const place = places.get(machine);
      places.delete(machine);
      for (const reject of place?.waiting ?? []) reject(machineAway(machine, "does not answer"));
    },
    open: (machine) => {
      const own: Place = { answer: undefined, waiting: new Set() };
      places.set(machine, own);
      return {
        machine,
        serve: (answer) => void (own.answer = answer),
        ask: async (target, question, signal) => {
          signal?.throwIfAborted();
          const place = places.get(target);
          if (place?.answer === undefined) throw machineAway(target, "does not answer");
          const { answer, waiting } = place;
          const left = new AbortController();
          let settle = (): void => undefined;
          const answered = new Promise<string>((resolve, reject) => {
            const leave = (): void => reject(signal?.reason as Error);
            signal?.addEventListener("abort", leave, { once: true });
            waiting.add(reject);
            settle = () => {
              signal?.removeEventListener("abort", leave);
              waiting.delete(reject);
              left.abort();
            };
            answer({ from: machine, question, signal: left.signal }).then(resolve, () =>
              reject(machineAway(target, "could not answer")),
            );
          });
          return answered.finally(() => settle());
        },
      };
    },
  };
}
