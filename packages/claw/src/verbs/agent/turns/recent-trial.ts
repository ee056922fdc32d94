import { realpathSync } from "node:fs";
import type { Settings } from "claw-contract";
import { probeSandbox } from "../../../agent/index.ts";
import { findTrial, storeTrial } from "../../about/sandbox-trials.ts";
import type { Ports } from "../../runtime/handle.ts";

/** What is known of the sandbox before an agent opens. */
interface RecentTrial {
  /** Whether the sandbox worked in a recent trial; undefined when no trial is known. */
  readonly works: boolean | undefined;
  /** Stores the trial that the agent made while it opened, if it made one. */
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
