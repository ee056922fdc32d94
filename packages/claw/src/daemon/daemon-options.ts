/** How a daemon is to run. Paths are absolute. */
export interface DaemonOptions {
  readonly cwd: string;
  readonly version: string;
  readonly socket: string | undefined;
  readonly http: string | undefined;
  readonly durability: "strict" | "relaxed";
  readonly policy: "strict" | "compat";
  readonly rateLimit: number;
  readonly requireToken: boolean;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly insecure: boolean;
  readonly budgetUsd: number | undefined;
  readonly tee: boolean;
}
