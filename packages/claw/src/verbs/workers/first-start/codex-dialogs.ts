import { join } from "node:path";
import type { AgentDialog, DialogPlace } from "./agent-dialog.ts";
import { repositoryOf, readAgentFile, writeAgentFile } from "./agent-dialog.ts";

/** What Codex asks at its first start in a folder: it asks about repositories only. */
export function codexDialogs({ cwd, env }: DialogPlace): readonly AgentDialog[] {
  const folder = repositoryOf(cwd);
  if (folder === null) return [];
  const file = join(env["CODEX_HOME"] ?? join(env["HOME"] ?? "/", ".codex"), "config.toml");
  // A basic string of TOML has the escapes of JSON.
  const table = `[projects.${JSON.stringify(folder)}]`;
  const hasTable = (text: string): boolean => text.split("\n").some((line) => line.trim() === table);
  return [
    {
      name: "trust-folder",
      agent: "Codex",
      question: `Trust ${folder}`,
      file,
      subject: folder,
      isAnswered: () => hasTable(readAgentFile(file)),
      accept: () => {
        const text = readAgentFile(file);
        const gap = text === "" || text.endsWith("\n") ? "" : "\n";
        if (!hasTable(text)) writeAgentFile(file, `${text}${gap}\n${table}\ntrust_level = "trusted"\n`);
      },
    },
  ];
}
