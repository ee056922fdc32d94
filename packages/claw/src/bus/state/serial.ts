import { LIMITS } from "claw-contract";

type Job = (release: () => void) => void;

/**
 * Runs decisions about the same subject one after the other. Each decision sees the events stored by the decision
 * before.
 */
export interface Serial {
  /**
   * Runs a job once all earlier jobs with the same key have called `release`. False when too many jobs wait: the job
   * does not run.
   */
  run(key: string, job: Job): boolean;
  /** How many jobs wait. */
  waiting(): number;
}

export function createSerial(): Serial {
  const queues = new Map<string, Job[]>();
  const start = (key: string, job: Job): void => {
    let released = false;
    job(() => {
      if (released) return;
      released = true;
      const next = queues.get(key)?.shift();
      if (next === undefined) queues.delete(key);
      else start(key, next);
    });
  };
  return {
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    run: (key, job) => {
      const queue = queues.get(key);
      if (queue === undefined) {
        queues.set(key, []);
        start(key, job);
        return true;
      }
      return queue.length < LIMITS.queuedCommands && queue.push(job) > 0;
    },
  };
}
