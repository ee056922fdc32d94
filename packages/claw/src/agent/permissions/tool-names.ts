/** Other names of the built-in tools, which models and settings use in any case. */
export const TOOL_ALIASES = {
  bash: ["Bash", "BashTool"],
  read_file: ["Read", "FileReadTool", "ReadFile"],
  write_file: ["Write", "FileWriteTool", "WriteFile"],
  edit_file: ["Edit", "FileEditTool", "EditFile"],
  glob_search: ["Glob", "GlobTool", "GlobSearch"],
  grep_search: ["Grep", "GrepTool", "GrepSearch"],
  todo_write: ["TodoWrite", "TodoWriteTool"],
  web_fetch: ["WebFetch", "WebFetchTool"],
  agent: ["AgentTool", "Task"],
  skill: ["SkillTool"],
} as const;

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(TOOL_ALIASES).flatMap(([name, aliases]) =>
    [name, ...aliases].map((alias) => [alias.toLowerCase(), name] as const),
  ),
);

/** The name that rules compare: the canonical name of a built-in tool; any other name in lower case. */
export function canonicalToolName(name: string): string {
  const small = name.trim().toLowerCase();
  return CANONICAL.get(small) ?? small;
}

export const isBuiltInTool = (name: string): boolean => CANONICAL.has(name.trim().toLowerCase());
