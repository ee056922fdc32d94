import type { JsonObject } from "claw-contract";
import { ClawError, ERROR_CODES, LIMITS, objectOf, parseObject } from "claw-contract";
import { runCommand } from "../../../process/index.ts";
import type { SuperviseOptions } from "../../supervision/supervise-options.ts";

/** Runs a verb as a person in the daemon's folder would. Resolves with its answer. Rejects with the verb's error. */
export type RunOwnVerb = (args: readonly string[]) => Promise<JsonObject>;

const ANSWER_FLAGS = ["--output-format", "json", "--envelope", "claw"];

/** The error that a verb answered with. */
function errorIn(answer: JsonObject, verb: string): ClawError {
  const { code, message, hint } = objectOf(answer["error"]);
  const known = ERROR_CODES.find((each) => each === code) ?? "WORKTREE_FAILED";
  return new ClawError(known, typeof message === "string" ? message : `claw ${verb} failed`, {
    operation: verb,
    target: "worker",
    ...(typeof hint === "string" ? { hint } : {}),
  });
}

/**
 * Runs verbs as processes: they take their time, and their files get the modes that the user's own files have, not
 * those of the daemon.
 */
export const ownVerbs =
  ({ program, cwd, env, umask, lifetime }: Pick<SuperviseOptions, "program" | "cwd" | "env" | "umask" | "lifetime">) =>
  async (args: readonly string[]): Promise<JsonObject> => {
    const [verb = ""] = args;
    const argv = [...program, ...args, ...ANSWER_FLAGS] as const;
    const limits = { timeoutMs: LIMITS.worktreeCommandMs, maxOutputBytes: LIMITS.wireDiffBytes * 4 };
    const result = await runCommand({ argv, cwd, env, umask, ...limits }, lifetime.signal);
    const answer = result.kind === "exited" ? parseObject(result.stdout) : undefined;
    if (answer === undefined) throw errorIn({}, verb);
    if (answer["error"] !== undefined) throw errorIn(answer, verb);
    return answer;
  };
