import { LIMITS } from "claw-contract";

/**
 * Throws for an answer whose values are nested too deep to be printed. Node 20 to 24 would overflow the stack; newer
 * ones print it, and the agent's parser would fail.
 */
export function requireFlat(answer: unknown): void {
  for (let level = [answer], depth = 0; level.length > 0; depth += 1) {
    if (depth > LIMITS.requestDepth) {
      throw new RangeError(`the answer is nested deeper than ${LIMITS.requestDepth} levels`);
    }
    const inner = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
    level = [...new Set(inner)];
  }
}
