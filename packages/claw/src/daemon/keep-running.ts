import { ClawError } from "@claw/contract";
import { errnoOf } from "../files/index.ts";
import { startClock } from "./daemon-clock.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import type { Hold, RunningDaemon } from "./run-daemon.ts";
import type { TokenFile } from "./token-file.ts";

export interface Running {
  readonly hold: Hold;
  readonly parts: DaemonParts;
  readonly token: TokenFile | undefined;
  /** Told of everything that happens. */
  readonly touched: { now: () => void };
}

const lostError = (folder: string, what: string): ClawError =>
  new ClawError("DAEMON_FAILED", `${what} was removed or replaced while the daemon ran`, {
    operation: "run_daemon",
    target: folder,
    hint: "Start it anew: claw up.",
  });

/** Does what time brings about. Returns when there is more to do. */
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
    const next = Math.min(bus.checkStale(), bus.checkDue(), token?.renew() ?? Infinity, again);
    // What is stored only now has to be looked at once more: it may be copied, or wait for something.
    if (log.head() !== seen) touched.now();
    seen = log.head();
    return next;
  };
}

function removeRecord({ fs, files }: Hold): void {
  try {
    fs.unlinkSync(files.record);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** What stands under its paths is another's once the daemon has lost its place: it lets go of what it holds, no more. */
async function end({ hold, parts }: Running, lost: string | undefined): Promise<void> {
  const { doors, report, lock, place } = hold;
  const isOwn = lost === undefined && place.isOwn();
  if (!isOwn) place.close();
  await doors.close();
  await parts.lifetime.end();
  parts.terminals.detach();
  await parts.log.close();
  if (isOwn) {
    await Promise.all(parts.tees.map((tee) => tee.close()));
    await parts.bus.save();
    removeRecord(hold);
  }
  report.write(isOwn ? "stopped" : "lost", isOwn ? {} : { what: lost ?? hold.files.folder });
  report.close();
  place.close();
  lock.release();
}

/** Watches over the time and over what the daemon stands on, until it is stopped. */
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
    lost: loss,
    stop: () => {
      clock.stop();
      ending ??= end(running, lost).finally(() => void process.off("uncaughtExceptionMonitor", fail));
      return ending;
    },
  };
}
