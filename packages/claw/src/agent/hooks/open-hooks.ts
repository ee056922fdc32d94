import type { Settings } from "claw-contract";
import { findTool } from "../tools/create-tools.ts";
import type { AnyTool } from "../tools/tool.ts";
import { createHooks } from "./create-hooks.ts";
import type { Hooks } from "./hooks.ts";
import { readHooks } from "./read-hooks.ts";

export interface HookSources {
  readonly settings: Settings;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All tools of the agent. Matchers choose tools by name and alias. */
  readonly tools: () => readonly AnyTool[];
}

/** The hooks of the settings, and sentences for people about those without effect. */
export function openHooks({ settings, cwd, env, tools }: HookSources): {
  readonly hooks: Hooks;
  readonly problems: readonly string[];
  /** Whether the settings name any. */
  readonly isAny: boolean;
} {
  const { hooks, problems } = readHooks(settings.hooks);
  const aliasesOf = (name: string): readonly string[] => findTool(tools(), name)?.aliases ?? [];
  return {
    hooks: createHooks(hooks, { cwd, env, sessionId: "", aliasesOf }),
    problems: problems.map(({ message }) => `Hook without effect: ${message}.`),
    isAny: hooks.length > 0,
  };
}
