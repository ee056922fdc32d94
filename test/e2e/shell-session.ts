import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "claw-contract";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { BINARY } from "./run-claw.ts";
import type { TerminalSession } from "./terminal-session.ts";
import { COLUMNS, LOOK_MS, openTmux } from "./terminal-session.ts";
import type { Workspace } from "./workspace.ts";

/** A person's shell, in which `claw` is on the PATH. */
export interface ShellSession extends Omit<TerminalSession, "pid"> {
  /** Types a line; resolves with what it printed once the prompt is back. */
  run(line: string): Promise<{ readonly output: string; readonly exitCode: number }>;
  /** Words that the terminal had to break, since a line was longer than it is wide. A path may be. */
  brokenWords(): string[];
}

/** How the last line ended, and a dollar. */
const PROMPT = /^\[(\d+)\] \$ ?/gm;

const isTyped = /^\[\d+\] \$/;

/** The word of a line that goes over the edge of the terminal. */
function wordAtEdge(line: string): string | undefined {
  const edge = Number(COLUMNS);
  if (line.length <= edge) return undefined;
  const word = (/\S*$/.exec(line.slice(0, edge))?.[0] ?? "") + (/^\S*/.exec(line.slice(edge))?.[0] ?? "");
  return word.includes("/") ? undefined : word;
}

export function openShell(workspace: Workspace, extra: NodeJS.ProcessEnv = {}): ShellSession {
  const bin = join(workspace.home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claw"), `#!/bin/sh\nexec ${shellQuote(process.execPath)} ${shellQuote(BINARY)} "$@"\n`, {
    mode: 0o755,
  });
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  const start = `PS1='[$?] $ ' exec bash --noprofile --norc -i\n`;
  const session = openTmux(workspace, start, { PATH: path, HISTFILE: "/dev/null", ...extra });
  const prompts = (): RegExpExecArray[] => [...session.screen().matchAll(PROMPT)];
  return {
    ...session,
    brokenWords: () =>
      session
        .screen()
        .split("\n")
        .filter((line) => !isTyped.test(line))
        .flatMap((line) => wordAtEdge(line) ?? []),
    run: async (line) => {
      const before = (await until("the shell's prompt", () => (prompts().length > 0 ? prompts() : undefined), LOOK_MS))
        .length;
      session.type(line);
      session.press("Enter");
      const after = await until(
        `the end of ${line}`,
        () => (prompts().length > before ? prompts() : undefined),
        LOOK_MS,
      );
      const text = session.screen();
      const output = text
        .slice(after[before - 1]?.index, after[before]?.index)
        .split("\n")
        .slice(1)
        .join("\n");
      return { output: output.trimEnd(), exitCode: Number(after[before]?.[1]) };
    },
  };
}
