import { ClawError } from "claw-contract";
import { unlessRefused } from "../../files/index.ts";
import { startClock } from "./daemon-clock.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import type { Hold, RunningDaemon } from "./run-daemon.ts";
import type { TokenFile } from "./token-file.ts";

/** Work that runs beside the bus and has to end before the daemon ends. */
export interface Lifetime {
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
  /** The daemon's end waits for this work. The promise may reject. */
  hold(work: Promise<unknown>): void;
  /** Aborts `signal` and resolves when all held work has ended. Idempotent. */
  end(): Promise<void>;
}

export function createLifetime(): Lifetime {
  const controller = new AbortController();
  const held = new Set<Promise<unknown>>();
  return {
    signal: controller.signal,
    hold: (work) => {
      const over: Promise<unknown> = work.then(
        () => held.delete(over),
        () => held.delete(over),
      );
      held.add(over);
    },
    end: async () => {
      controller.abort();
      await Promise.all(held);
    },
  };
}

export interface Running {
  readonly hold: Hold;
  readonly parts: DaemonParts;
  readonly token: TokenFile | undefined;
  /** Tells the daemon's clock of activity: a frame, a connection, a change of a terminal. */
  readonly touched: { now: () => void };
}

const lostError = (folder: string, what: string): ClawError =>
  new ClawError("DAEMON_FAILED", `${what} was removed or replaced while the daemon ran`, {
    operation: "run_daemon",
    target: folder,
    hint: "Start the daemon again: claw up.",
  });

/** Makes the clock's `look`, which does the due work and returns the time of the next due work. */
function createLook(
  { hold, parts, token, touched }: Running,
  lose: (what: string) => void,
): (slept: boolean) => number {
  const { bus, log, tees } = parts;
  let seen = -1;
  return (slept) => {
    if (slept) bus.wake();
    for (const tee of tees) tee.wake();
    const missing = hold.place.missing();
    if (missing !== undefined) lose(missing);
    const again = Date.now() + hold.place.lookAgainMs();
    const next = Math.min(bus.checkPeers(), bus.checkDue(), token?.renew() ?? Infinity, again);
    // Events stored by this look need another look: they may have to be copied, or may set a deadline.
    if (log.head() !== seen) touched.now();
    seen = log.head();
    return next;
  };
}

function removeRecord({ fs, files }: Hold): void {
  unlessRefused(() => fs.unlinkSync(files.record));
}

/**
 * Ends the daemon. Once the daemon has lost its place, the files at its paths belong to another daemon. Then it
 * releases its handles, but copies no events, saves no state and removes no record.
 */
async function end({ hold, parts }: Running, lost: string | undefined): Promise<void> {
  const { doors, report, lock, place } = hold;
  const isOwn = lost === undefined && place.isOwn();
  if (!isOwn) place.close();
  await Promise.all([doors.close(), parts.pages.close()]);
  await parts.lifetime.end();
  parts.terminals.detach();
  await parts.log.close();
  if (isOwn) {
    await Promise.all(parts.tees.map((tee) => tee.close()));
    await parts.bus.save();
    removeRecord(hold);
  }
  await parts.membership?.leave();
  report.write(isOwn ? "stopped" : "lost", isOwn ? {} : { what: lost ?? hold.files.folder });
  report.close();
  place.close();
  lock.release();
}

/** Runs the clock and watches the daemon's place until the daemon is stopped. */
export function keepRunning(running: Running): Omit<RunningDaemon, "record"> {
  const { hold, touched } = running;
  let lost: string | undefined;
  let ending: Promise<void> | undefined;
  let lose: (what: string) => void = () => undefined;
  const loss = new Promise<ClawError>((resolve) => {
    lose = (what) => {
      lost ??= what;
      resolve(lostError(hold.files.folder, lost));
    };
  });
  const fail = (error: Error): void => hold.report.write("failed", { text: error.stack ?? error.message });
  process.on("uncaughtExceptionMonitor", fail);
  const clock = startClock(createLook(running, lose), { now: Date.now, steady: () => performance.now() });
  touched.now = () => clock.touch();
  hold.place.follow(lose, hold.tell);
  return {
    lost: running.parts.membership === undefined ? loss : Promise.race([loss, running.parts.membership.lost]),
    stop: () => {
      clock.stop();
      ending ??= end(running, lost).finally(() => void process.off("uncaughtExceptionMonitor", fail));
      return ending;
    },
  };
}
