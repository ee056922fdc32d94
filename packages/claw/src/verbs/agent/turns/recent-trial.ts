import { realpathSync } from "node:fs";
import type { Settings } from "claw-contract";
import { probeSandbox } from "../../../agent/index.ts";
import { findTrial, storeTrial } from "../../about/sandbox-trials.ts";
import type { Ports } from "../../runtime/handle.ts";

/** The sandbox's state by a stored trial, before an agent opens. */
interface RecentTrial {
  /** Whether the sandbox worked in a recent trial; undefined when no trial is known. */
  readonly works: boolean | undefined;
  /** Stores the agent's own trial of the sandbox. Without such a trial, nothing is stored. */
  store(): void;
}

const NOTHING: RecentTrial = { works: undefined, store: () => undefined };

/** Settings that give the sandbox other folders or programs than those of the stored trials. */
const isOwnKind = ({ sandbox, permissions, env = {} }: Settings): boolean =>
  sandbox === "off" ||
  (permissions?.additionalDirectories ?? []).length > 0 ||
  ["PATH", "HOME"].some((name) => Object.hasOwn(env, name));

/**
 * Looks for a recent trial of the sandbox in the working folder. With a trial, the model is told of the sandbox without
 * another trial; a command tries the sandbox anew. Serves the row `claw -p, start to first request`.
 */
export function recentTrial({ cwd, env }: Ports, settings: Settings): RecentTrial {
  if (isOwnKind(settings)) return NOTHING;
  const place = { workspace: realpathSync(cwd), env };
  const known = findTrial(place, Date.now());
  if (known !== undefined) return { works: known.kind !== null, store: () => undefined };
  const options = { workspace: { root: place.workspace, extraFolders: [] }, env: { ...env, ...settings.env } };
  return {
    works: undefined,
    store: () => {
      const state = probeSandbox(options);
      const isThere = state.kind === "available";
      const trial = isThere ? { kind: state.sandbox.kind, reason: null } : { kind: null, reason: state.reason };
      storeTrial(place, trial, Date.now());
    },
  };
}
