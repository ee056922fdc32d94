import { isObject, LIMITS } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { HookEvent } from "./hooks.ts";
import { HOOK_EVENTS } from "./hooks.ts";

/** A hook that can be run. */
export interface ConfiguredHook {
  readonly event: HookEvent;
  /** Names of the tools that the hook is for; see `matchesTool`. */
  readonly matcher: string;
  /** Command line for `/bin/sh`. */
  readonly command: string;
  readonly timeoutMs: number;
}

/** A part of the settings for hooks that cannot be used. */
export interface HookProblem {
  readonly kind: "unknown_hook_event" | "invalid_hooks_config";
  /** The place in the settings, as in `PreToolUse[0].hooks[1]`. */
  readonly where: string;
  readonly message: string;
}

export interface HookReading {
  readonly hooks: readonly ConfiguredHook[];
  readonly problems: readonly HookProblem[];
}

/** Longest timeout of a hook. A longer timeout would be as good as none, and could be more than a timer can hold. */
const LONGEST_SECONDS = 24 * 60 * 60;

const isEvent = (name: string): name is HookEvent => (HOOK_EVENTS as readonly string[]).includes(name);

class Reader {
  readonly hooks: ConfiguredHook[] = [];
  readonly problems: HookProblem[] = [];

  reject(where: string, message: string): void {
    this.problems.push({ kind: "invalid_hooks_config", where, message: `${where} ${message}` });
  }

  event(event: HookEvent, entries: unknown): void {
    if (!Array.isArray(entries)) return this.reject(event, "must be a list");
    for (const [index, entry] of entries.entries()) this.entry({ event, matcher: "*" }, entry, `${event}[${index}]`);
  }

  /** A command alone, or a matcher with commands. */
  private entry(group: Pick<ConfiguredHook, "event" | "matcher">, entry: unknown, where: string): void {
    if (typeof entry === "string") return this.command(group, { command: entry }, where);
    if (!isObject(entry)) return this.reject(where, "must be a command or an object with a matcher and hooks");
    const { matcher = "*", hooks } = entry;
    if (typeof matcher !== "string") return this.reject(`${where}.matcher`, "must be text");
    if (!Array.isArray(hooks)) return this.reject(`${where}.hooks`, "must be a list");
    for (const [index, hook] of hooks.entries()) {
      const place = `${where}.hooks[${index}]`;
      if (isObject(hook)) this.command({ ...group, matcher }, hook, place);
      else this.reject(place, "must be an object with a command");
    }
  }

  private command(group: Pick<ConfiguredHook, "event" | "matcher">, hook: JsonObject, where: string): void {
    const { type = "command", command, timeout = LIMITS.hookSeconds } = hook;
    if (type !== "command") return this.reject(`${where}.type`, 'must be "command"');
    if (typeof command !== "string" || command.trim() === "" || command.includes("\0")) {
      return this.reject(`${where}.command`, "must be a command for a shell");
    }
    if (typeof timeout !== "number" || !(timeout > 0)) {
      return this.reject(`${where}.timeout`, "must be a number of seconds above 0");
    }
    this.hooks.push({ ...group, command, timeoutMs: Math.min(timeout, LONGEST_SECONDS) * 1000 });
  }
}

/**
 * Reads the section `hooks` of the settings. A part that cannot be used becomes a problem; the other hooks are kept.
 */
export function readHooks(config: unknown): HookReading {
  const reader = new Reader();
  if (config === undefined) return reader;
  if (!isObject(config)) {
    reader.reject("hooks", "must be an object with lists by event");
    return reader;
  }
  for (const [name, entries] of Object.entries(config)) {
    if (isEvent(name)) reader.event(name, entries);
    else {
      const known = `hooks are for ${HOOK_EVENTS.join(", ")}`;
      reader.problems.push({ kind: "unknown_hook_event", where: name, message: `there is no event ${name}; ${known}` });
    }
  }
  return reader;
}
