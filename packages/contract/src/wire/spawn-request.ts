import type { RequestFields } from "./wire-types.ts";

type SpawnRequestFields = RequestFields<"worker.spawn">;

/** A request for a worker as callers write it: `true` asks for a worktree without files and commands. */
export interface SpawnFields extends Omit<SpawnRequestFields, "worktree"> {
  readonly worktree?: SpawnRequestFields["worktree"] | boolean | undefined;
}

/** The object, unless all of its values are undefined. */
const unlessEmpty = <Part extends object>(part: Part | null | undefined | ""): Part | undefined =>
  part && Object.values(part).some((value) => value !== undefined) ? part : undefined;

/** Makes the fields of the request `worker.spawn`. Every caller uses it. */
export const spawnRequest = ({ worktree, budget, trouble, ...fields }: SpawnFields): SpawnRequestFields => ({
  ...fields,
  worktree: worktree === true ? {} : worktree === false ? undefined : worktree,
  budget: unlessEmpty(budget),
  trouble: unlessEmpty(trouble),
});
