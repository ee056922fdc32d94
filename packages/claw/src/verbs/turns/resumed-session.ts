import { ClawError } from "@claw/contract";

/** The session that flags name to go on with; undefined for a new one. */
export function resumedSession(flags: {
  readonly resume?: string | undefined;
  readonly continue: boolean;
}): string | undefined {
  if (!flags.continue) return flags.resume;
  if (flags.resume === undefined) return "latest";
  throw new ClawError("INVALID_FLAG_VALUE", "--continue and --resume name a session each", {
    operation: "parse_arguments",
    target: "--continue",
    hint: "Give one of them.",
  });
}
