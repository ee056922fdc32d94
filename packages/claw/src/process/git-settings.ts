/** Settings that override those of a repository, because a repository's settings may name programs. */
export const HARMLESS_GIT: Readonly<Record<string, string>> = {
  "core.alternateRefsCommand": "false",
  "core.askPass": "false",
  "core.editor": "false",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.sshCommand": "false",
  "credential.helper": "",
  "diff.submodule": "short",
  "gpg.program": "false",
  "log.showSignature": "false",
  "safe.bareRepository": "explicit",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
};

/** Settings whose names the repository chooses. Claw can override such settings only after listing them. */
export const NAMED_PROGRAMS = String.raw`^((filter|hook)\.|merge\..*\.driver$)`;

/** Scopes of settings that belong to a folder, in the words of `git config --show-scope`. */
const OF_FOLDER = new Set(["local", "worktree"]);

interface Setting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** Reads the output of `git config -z --show-scope --get-regexp`. */
function readListing(listing: string): Setting[] {
  const parts = listing.split("\0");
  return parts.flatMap((scope, index) => {
    const text = parts[index + 1];
    if (index % 2 === 1 || text === undefined) return [];
    const cut = text.indexOf("\n");
    return [{ scope, key: cut < 0 ? text : text.slice(0, cut), value: cut < 0 ? "true" : text.slice(cut + 1) }];
  });
}

/** The setting to override: `enabled` for any setting of a hook, the setting itself for a filter. */
const overridden = (key: string): string => key.replace(/^(hook\..*)\.[^.]*$/, "$1.enabled");

const EMPTY = /\.(?:required|enabled)$/;
/** A program that merges files. When the program fails, git reports a conflict. */
const MERGES = /^merge\..*\.driver$/s;

function harmless(key: string): string {
  return EMPTY.test(key) || MERGES.test(key) ? "false" : "";
}

/**
 * Settings that disable the programs named by a folder's settings. A value from the user's own settings under the same
 * name is used instead: those programs are the user's choice.
 */
export function withoutPrograms(listing: string): Record<string, string> {
  const settings = readListing(listing);
  const own = new Map(settings.filter(({ scope }) => !OF_FOLDER.has(scope)).map(({ key, value }) => [key, value]));
  const foreign = settings.filter(({ scope }) => OF_FOLDER.has(scope)).map(({ key }) => overridden(key));
  return Object.fromEntries(foreign.map((key) => [key, own.get(key) ?? harmless(key)]));
}

/** The environment in which git is started with these settings. */
export function gitVariables(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const entries = Object.entries(settings).flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...(Object.fromEntries(entries) as NodeJS.ProcessEnv),
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_EDITOR: "false",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}
