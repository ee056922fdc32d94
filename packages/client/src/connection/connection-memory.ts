import { CLIENT_LIMITS, epochOf } from "claw-contract";
import type { ResumeState, Welcome } from "./hello.ts";
import type { Timer } from "../platform.ts";

type Accepted = Extract<Welcome, { readonly kind: "welcome" }>;

/** State kept across connections: the client's identity, the number of failed attempts, the last log. */
export function createConnectionMemory(given: ResumeState | undefined, timer: Timer) {
  let resume = given;
  let failures = 0;
  /** Connections in a row that ended soon after they began. */
  let shortLived = 0;
  let refusals = 0;
  let joinedAtMs: number | undefined;
  let epoch: string | undefined;

  return {
    resume: (): ResumeState | undefined => resume,
    /** Failed attempts to connect in a row, the present attempt included. */
    failures: (): number => failures,
    /** Failed attempts, or connections that ended early, in a row; the first one is not counted. */
    setbacks: (): number => Math.max(0, failures - 1, shortLived - 1),
    began: (): void => {
      failures += 1;
    },
    /** Records a refused token. Returns whether to try another: the first refusal in a row is no failed attempt. */
    refused: (): boolean => {
      refusals += 1;
      failures = 0;
      return refusals === 1;
    },
    /** Records an accepted hello. Returns true when the bus has forgotten this client's earlier connections. */
    joined: ({ identity, resumeToken }: Accepted): boolean => {
      const before = joinedAtMs !== undefined;
      const log = identity.cursor === undefined ? epoch : epochOf(identity.cursor);
      const replaced = epoch !== undefined && log !== epoch;
      if (resumeToken !== undefined) resume = { resumeToken };
      failures = 0;
      refusals = 0;
      joinedAtMs = timer.now();
      epoch = log;
      return before && (replaced || !identity.restored);
    },
    lost: (): void => {
      const livedMs = timer.now() - (joinedAtMs ?? 0);
      shortLived = livedMs < CLIENT_LIMITS.silenceMs ? shortLived + 1 : 0;
    },
  };
}
