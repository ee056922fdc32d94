import { ClawError } from "claw-contract";

/** The warning about a session that the user resumes by name and has not made here. */
export const foreignSession = (id: string): string =>
  `FOREIGN_SESSION: '${id}' may have come with the folder: it was not made here by you, and is gone on with because it was named`;

/** The session that flags name to go on with; undefined for a new one. */
export function resumedSession(flags: {
  readonly resume?: string | undefined;
  readonly continue: boolean;
}): string | undefined {
  if (!flags.continue) return flags.resume;
  if (flags.resume === undefined) return "latest";
  throw new ClawError("INVALID_FLAG_VALUE", "--continue and --resume both name a session", {
    operation: "parse_arguments",
    target: "--continue",
    hint: "Give only one of them.",
  });
}
