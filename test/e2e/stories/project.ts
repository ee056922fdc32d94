import type { FakeScenarioText } from "claw-contract/schemas";
import { seedFile } from "../seed.ts";
import type { ShellSession } from "../shell-session.ts";
import { openShell } from "../shell-session.ts";
import type { Workspace } from "../workspace.ts";
import { createWorkspace } from "../workspace.ts";

/** A person's project in git, and a shell in it. */
export interface Project {
  readonly workspace: Workspace;
  readonly shell: ShellSession;
}

/** Opens a shell in a new project with these files, all committed. */
export async function openProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const workspace = createWorkspace();
  for (const [path, text] of Object.entries(files)) seedFile(workspace, path, text);
  const shell = openShell(workspace);
  await shell.run("git init -q -b main && git config user.name Ada && git config user.email ada@example.com");
  await shell.run("git add -A && git commit -qm 'Begin'");
  return { workspace, shell };
}

type Step = FakeScenarioText["steps"][number];

/** A command that the fake agent really runs, as its tool call. */
export const bash = (command: string): Step & { type: "tool" } => ({
  type: "tool",
  name: "Bash",
  input: { command },
  output: "",
  failed: false,
  runs: command,
});

/** What the fake agent does to write a file and commit it. */
export const commit = (path: string, text: string): Step & { type: "tool" } =>
  bash(`printf '%s\\n' '${text}' > ${path} && git add ${path} && git commit -qm 'Write ${path}' && echo committed`);

export const say = (text: string): Step & { type: "text" } => ({ type: "text", text });
