import { flagTable } from "../read-flags.ts";

/** Every flag of `claude` 2.1.325, those it does not show in its help too. The last spelling is the main one. */
export const CLAUDE_FLAGS = flagTable({
  none: `
    -p --print, --verbose, -v --version, -h --help, --bare, --brief, --chrome, --no-chrome, -c --continue, --desktop,
    --ide, --tmux, --restricted, --safe-mode, --fork-session, --strict-mcp-config, --replay-user-messages,
    --include-partial-messages, --include-hook-events, --forward-subagent-text, --no-session-persistence,
    --dangerously-skip-permissions, --allow-dangerously-skip-permissions, --disable-slash-commands, --ax-screen-reader,
    --bg --background, --exclude-dynamic-system-prompt-sections, --debug-to-stderr, --enable-auto-mode, --init,
    --init-only, --maintenance, --session-mirror, --plan-mode-required, --prefill, --deep-link-origin`,
  one: `
    --model, --output-format, --input-format, --permission-mode, --permission-prompt-tool, --permission-prompts,
    --session-id, --max-turns, --max-budget-usd, --json-schema, --agent, --agents, --append-system-prompt,
    --append-system-prompt-file, --system-prompt, --system-prompt-file, --system-prompt-snapshot, --autocompact,
    --debug-file, --effort, --environment, --fallback-model, -n --name, --plugin-dir, --plugin-url,
    --remote-control-session-name-prefix, --setting-sources, --settings, --max-thinking-tokens, --resume-session-at,
    --task-budget, --thinking, --thinking-display, --sdk-url, --rewind-files, --teammate-mode, --managed-settings,
    --workload, --agent-id, --agent-name, --team-name, --agent-color, --parent-session-id, --agent-type, --advisor`,
  maybe: `
    -r --resume, -d --debug, --cloud, --from-pr, --prompt-suggestions, --remote-control, --remote, --teleport,
    -w --worktree`,
  many: `
    --allowed-tools --allowedTools, --disallowed-tools --disallowedTools, --tools, --add-dir, --mcp-config, --betas,
    --file, --channels`,
});
