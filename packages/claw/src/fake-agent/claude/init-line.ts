import type { JsonObject } from "claw-contract";
import { CLAUDE_VERSION } from "./claude-call.ts";
import type { ClaudeSession } from "./claude-session.ts";

const splitWords = (words: string): string[] => words.trim().split(/\s+/);

const TOOLS = splitWords(`
  Task Bash CronCreate CronDelete CronList Edit EnterWorktree ExitWorktree ListAgents Monitor NotebookEdit Read
  ReportFindings ScheduleWakeup SendMessage Skill TaskStop ToolSearch WebFetch WebSearch Workflow Write`);

/** Tools offered only where the CLI can ask on the stream. */
const ASKING_TOOLS = splitWords("AskUserQuestion EnterPlanMode ExitPlanMode");

const SKILLS = splitWords(`
  deep-research dataviz update-config verify debug code-review simplify batch fewer-permission-prompts doctor loop
  claude-api workflow-authoring run run-skill-generator plugin-authoring`);

const COMMANDS = splitWords(
  "agents clear color compact config context effort init mcp model rename security-review usage",
);

export const AGENTS = splitWords("claude Explore general-purpose Plan statusline-setup");

export const CLAUDE_CAPABILITIES = splitWords(`
  interrupt_receipt_v1 interrupt_cancel_queued_v1 msg_lifecycle_v1 request_marker_lists_v1 mcp_read_resource_v1`);

const PLUGINS = ["cc-plugin-agents-md", "cc-plugin-privacy"];

/** The line that begins every turn. */
export function claudeInitLine(session: ClaudeSession): JsonObject {
  const { cwd, model, call, apiKeySource } = session;
  return {
    type: "system",
    subtype: "init",
    cwd,
    session_id: session.id,
    tools: call.asks ? [...TOOLS, ...ASKING_TOOLS] : TOOLS,
    mcp_servers: [],
    model,
    permissionMode: call.permissionMode,
    slash_commands: [...SKILLS, ...COMMANDS],
    terminal_slash_commands: ["doctor", "color"],
    apiKeySource,
    claude_code_version: CLAUDE_VERSION,
    output_style: "default",
    agents: AGENTS,
    skills: SKILLS,
    plugins: PLUGINS.map((name) => ({ name, path: "builtin", source: `${name}@builtin` })),
    capabilities: CLAUDE_CAPABILITIES,
    analytics_disabled: true,
    product_feedback_disabled: true,
    uuid: session.stage.uuid(),
    memory_paths: { auto: cwd },
    original_cwd: cwd,
    additional_directories: [],
    messaging_socket_path: `${cwd}/.fake.sock`,
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    per_turn_effort_active: true,
    ultrathink_available: false,
    ultrathink_typed_raises: false,
    view_mode: "default",
  };
}
