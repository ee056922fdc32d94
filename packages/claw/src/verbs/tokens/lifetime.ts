import { ClawError, LIMITS } from "claw-contract";

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** How long `12h` is, in milliseconds. Throws INVALID_FLAG_VALUE when no token may hold that long. */
export function lifetimeOf(text: string): number {
  const lifetimeMs = Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? Number.NaN);
  if (lifetimeMs >= 1 && lifetimeMs <= LIMITS.tokenLifetimeMaxMs) return lifetimeMs;
  const days = LIMITS.tokenLifetimeMaxMs / 86_400_000;
  throw new ClawError("INVALID_FLAG_VALUE", `--expires must be at most ${days}d, not '${text}'`, {
    operation: "parse_arguments",
    target: "--expires",
    hint: `Give --expires at most ${days}d; make another token before the first one ends.`,
  });
}
