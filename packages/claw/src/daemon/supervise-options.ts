import type { ApprovalRule } from "@claw/contract";
import type { Lifetime } from "./lifetime.ts";
import type { WorkerDoors } from "./workers/worker-doors.ts";
import type { BudgetLimit, PriceOverrides } from "@claw/contract";
import type { SettleLife } from "./workers/settle-life.ts";

/** What the parts of the daemon that look after workers may use of the outside. */
export interface SuperviseOptions {
  /** The folder the daemon is for. */
  readonly cwd: string;
  /** `.claws` in it. */
  readonly folder: string;
  /** Where workers find the bus. */
  readonly socket: string;
  /** The environment workers start from. */
  readonly env: NodeJS.ProcessEnv;
  /** What files of workers are made with: the mask of whoever started the daemon, not its own. */
  readonly umask: number;
  /** A token for a worker of that name; null when the bus asks for none. */
  readonly bearerFor: (name: string) => string | null;
  /** Sockets for single workers. */
  readonly doors: WorkerDoors;
  /** Answers to workers' questions that the user gave beforehand. */
  readonly rules: readonly ApprovalRule[];
  /** The command that is this program. */
  readonly program: readonly [string, ...string[]];
  /** The command that is one of its parts, for example `worker`. */
  readonly part: (name: string) => readonly [string, ...string[]];
  /** What goes on beside the bus ends with it. */
  readonly lifetime: Pick<Lifetime, "signal" | "hold">;
  /** Prices of the user's own, by model. */
  readonly prices?: PriceOverrides;
  /** Finds what a life that was cut off spent and did not report; nobody does without it. */
  readonly settle?: SettleLife | undefined;
  /** What workers together may spend on one day. */
  readonly perDay: BudgetLimit;
  /** Says that something happened by itself which may have brought something closer. */
  readonly touch: () => void;
  readonly report: (problem: string) => void;
}
