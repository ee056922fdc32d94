import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import type { Ended } from "../../packages/claw/src/process/testing/output-of.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { claudePastFirstStart, codexTrustsFolder, geminiTakesKey } from "./first-start.ts";
import type { ToolNamer } from "./lead-model.ts";
import { LEAD_PROMPT } from "./lead-model.ts";
import type { RealScene } from "./real-scene.ts";

/** A client that leads from a prompt on its command line to its end. */
export interface LeadClient {
  readonly client: "claude" | "codex" | "gemini" | "opencode";
  readonly argv: readonly string[];
  readonly toolName: ToolNamer;
  readonly prepare: (scene: RealScene) => RealScene;
}

/** Without a person, Codex refuses tools that are not only for reading, unless its settings allow them. */
const CODEX_ALLOWS = 'mcp_servers.claws.default_tools_approval_mode="approve"';

export const LEAD_CLIENTS: readonly LeadClient[] = [
  {
    client: "claude",
    argv: ["claude", "-p", LEAD_PROMPT, "--output-format", "stream-json", "--verbose", "--allowedTools", "mcp__claws"],
    toolName: (tool) => ({ name: `mcp__claws__${tool}` }),
    prepare: claudePastFirstStart,
  },
  {
    client: "codex",
    argv: ["codex", "exec", "--json", "--skip-git-repo-check", "-m", "gpt-5.5", "-c", CODEX_ALLOWS, LEAD_PROMPT],
    toolName: (tool) => ({ namespace: "mcp__claws", name: tool }),
    prepare: (scene) => codexTrustsFolder(claudePastFirstStart(scene)),
  },
  {
    client: "gemini",
    argv: ["gemini", "-p", LEAD_PROMPT, "-o", "stream-json", "--skip-trust", "-y", "-m", "gemini-2.5-flash"],
    toolName: (tool) => ({ name: `mcp_claws_${tool}` }),
    prepare: (scene) => geminiTakesKey(claudePastFirstStart(scene)),
  },
  {
    client: "opencode",
    argv: ["opencode", "run", "--format", "json", LEAD_PROMPT],
    toolName: (tool) => ({ name: `claws_${tool}` }),
    prepare: claudePastFirstStart,
  },
];

/** Runs a client in a scene to its end, with nothing on stdin. */
export function runClient({ cwd, env }: RealScene, [program = "", ...args]: readonly string[]): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end();
  return outputOf(child);
}
