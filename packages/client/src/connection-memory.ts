import { CLIENT_LIMITS } from "@claw/contract";
import { epochOf } from "./cursor.ts";
import type { ResumeState, Welcome } from "./hello.ts";
import type { Timer } from "./timer.ts";

type Accepted = Extract<Welcome, { readonly kind: "welcome" }>;

/** What outlives one connection: who this client is, how often it failed, which log it knew. */
export function createMemory(given: ResumeState | undefined, timer: Timer) {
  let resume = given;
  let failures = 0;
  /** Connections in a row that ended soon after they began. */
  let shortLived = 0;
  let refusals = 0;
  let joinedAtMs: number | undefined;
  let epoch: string | undefined;

  return {
    resume: (): ResumeState | undefined => resume,
    /** Attempts in a row that came to nothing, the present one included. */
    failures: (): number => failures,
    /** How often in a row it had to begin again. */
    setbacks: (): number => Math.max(0, failures - 1, shortLived - 1),
    began: (): void => {
      failures += 1;
    },
    /** Whether another token may be tried: one refusal in a row is let pass, and is no failed attempt. */
    refused: (): boolean => {
      refusals += 1;
      failures = 0;
      return refusals === 1;
    },
    /** Whether the bus knows nothing of what this client did before. */
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
