import type { RememberedRedirect, ResponseHistory } from "./history.ts";
import { MAX_HISTORY_ENTRIES } from "./history.ts";

/** How often `command` was called again after `code` since it last succeeded. */
export function retriesAfter(history: ResponseHistory, command: string, code: string): number {
  return history.retries.find((entry) => entry.command === command && entry.code === code)?.count ?? 0;
}

/** How often `command` was called again, whatever the code, since it last succeeded. */
export function retriesOf(history: ResponseHistory, command: string): number {
  return history.retries.reduce((sum, entry) => (entry.command === command ? sum + entry.count : sum), 0);
}

/** Counts one more call of `command` after `code`. */
export function rememberRetry(history: ResponseHistory, command: string, code: string): ResponseHistory {
  const count = retriesAfter(history, command, code) + 1;
  const others = history.retries.filter((entry) => entry.command !== command || entry.code !== code);
  return { ...history, retries: newest([...others, { command, code, count }]) };
}

/** Remembers that the credentials of `command` were refreshed. */
export function rememberRefresh(history: ResponseHistory, command: string): ResponseHistory {
  const others = history.refreshes.filter((entry) => entry !== command);
  return { ...history, refreshes: newest([...others, command]) };
}

/** The commands that led, by redirects, to `command`. */
export function trailTo(history: ResponseHistory, command: string): readonly string[] {
  return history.trails.find((entry) => entry.command === command)?.via ?? [];
}

/** Extends the trail of `from` to `to`. */
export function rememberHop(history: ResponseHistory, from: string, to: string): ResponseHistory {
  const others = history.trails.filter((entry) => entry.command !== from && entry.command !== to);
  return { ...history, trails: newest([...others, { command: to, via: [...trailTo(history, from), from] }]) };
}

/** Forgets how `command` was reached. */
export function forgetTrail(history: ResponseHistory, command: string): ResponseHistory {
  return { ...history, trails: history.trails.filter((entry) => entry.command !== command) };
}

/**
 * Remembers a permanent redirect. A mapping away from its target is dropped: the newest answer calls that target the
 * one that works, and keeping both would make a loop.
 */
export function rememberRedirect(history: ResponseHistory, redirect: RememberedRedirect): ResponseHistory {
  const others = forgetRedirects(history, [redirect.from, redirect.to]).redirects;
  return { ...history, redirects: newest([...others, redirect]) };
}

/** Forgets the mappings away from each of `commands`. */
export function forgetRedirects(history: ResponseHistory, commands: readonly string[]): ResponseHistory {
  return { ...history, redirects: history.redirects.filter((entry) => !commands.includes(entry.from)) };
}

/** Remembers each warning once per command. */
export function rememberDeprecations(
  history: ResponseHistory,
  command: string,
  warnings: readonly string[],
): ResponseHistory {
  if (warnings.length === 0) return history;
  const said = new Set(warnings);
  const others = history.deprecations.filter((entry) => entry.command !== command || !said.has(entry.warning));
  return { ...history, deprecations: newest([...others, ...[...said].map((warning) => ({ command, warning }))]) };
}

/** A success is a change of state: clears the counters of `command` and of the commands that led to it. */
export function settle(history: ResponseHistory, command: string): ResponseHistory {
  const settled = new Set([command, ...trailTo(history, command)]);
  return {
    ...history,
    retries: history.retries.filter((entry) => !settled.has(entry.command)),
    refreshes: history.refreshes.filter((entry) => !settled.has(entry)),
    trails: history.trails.filter((entry) => !settled.has(entry.command)),
  };
}

function newest<Entry>(list: readonly Entry[]): readonly Entry[] {
  return list.slice(-MAX_HISTORY_ENTRIES);
}
