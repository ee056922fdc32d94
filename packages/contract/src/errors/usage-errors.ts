import { helped, missing, precondition, usage } from "./error-row.ts";

/** How a call can be wrong before anything happens. */
export const usageErrors = {
  UNKNOWN_COMMAND: usage("command_not_found", "Run `claw help` for the list of commands."),
  UNKNOWN_SLASH_COMMAND: usage("unknown_slash_command", "Run `claw command-graph` for the list."),
  UNKNOWN_SUBCOMMAND: helped("unsupported_action", "what it accepts"),
  UNSUPPORTED_CONFIG_SECTION: usage("unsupported_config_section", "Run `claw config` for all sections."),
  COMMAND_RENAMED: usage("command_renamed", "Call the command in error.redirect.command instead.", {
    exit: "REDIRECTED",
  }),
  COMMAND_REMOVED: usage("removed_subcommand", "Run `claw help` for what replaced it."),
  ARGUMENT_PARSE_ERROR: helped("cli_parse", "its arguments", { class: "parse" }),
  UNKNOWN_OPTION: helped("unknown_option", "its flags", { class: "parse" }),
  UNEXPECTED_ARGUMENTS: usage("unexpected_extra_args", "Remove the extra arguments, or quote them as one.", {
    class: "parse",
  }),
  MISSING_FLAG_VALUE: usage("missing_flag_value", "Give the flag a value, after a space or an equals sign."),
  INVALID_FLAG_VALUE: helped("invalid_flag_value", "the values it takes"),
  INVALID_PERMISSION_MODE: usage("invalid_permission_mode", "Use read-only, workspace-write or danger-full-access."),
  INVALID_OUTPUT_FORMAT: usage("invalid_output_format", "Use --output-format text or json."),
  INVALID_MODEL: usage("invalid_model", "Give a model id without spaces, for example claude-opus-4-5."),
  INVALID_TOOL_NAME: usage("invalid_tool_name", "Use a tool name that `claw tool-pool` lists."),
  INVALID_SESSION_ID: usage(
    "invalid_session_id",
    "Use an id that `claw list-sessions` prints: letters, digits, '.', '_' and '-'.",
  ),
  INVALID_CURSOR: usage("invalid_cursor", "Use the cursor of the previous page, or start again without one."),
  INVALID_RESUME_ARGUMENT: usage("invalid_resume_argument", "Give an id, a path or `latest`."),
  INVALID_HISTORY_COUNT: usage("invalid_history_count", "Give a whole number above zero."),
  INVALID_AGENT_NAME: usage("invalid_agent_name", "Use letters, digits and hyphens."),
  INVALID_INSTALL_SOURCE: usage("invalid_install_source", "Give a folder that exists."),
  MISSING_ARGUMENT: helped("missing_argument", "its arguments"),
  MISSING_PROMPT: usage("missing_prompt", "Give the prompt as one quoted argument or on standard input."),
  INTERACTIVE_ONLY: precondition("interactive_only", "Run it on a terminal, or use a command from `claw help`."),
  UNSUPPORTED_COMMAND: precondition("unsupported_command", "Run `claw help` for what this version can do."),
  NOT_IMPLEMENTED: usage("not_yet_implemented", "Run `claw help` for what this version can do.", {
    exit: "UNAVAILABLE",
  }),
  CONFIRMATION_REQUIRED: precondition("confirmation_required", "Repeat the call with --yes to confirm.", {
    class: "policy",
  }),
  IDEMPOTENCY_KEY_REUSED: usage("idempotency_key_reused", "Use a new --idempotency-key for a different call.", {
    exit: "CONFLICT",
  }),
  IDEMPOTENCY_KEY_BUSY: usage("idempotency_key_busy", "Call again when the first call is done.", {
    exit: "CONFLICT",
    retryable: true,
  }),
  IDEMPOTENCY_OUTCOME_UNKNOWN: usage(
    "idempotency_outcome_unknown",
    "An earlier call with this key was cut off. Look at the result, then use a new key.",
    { exit: "CONFLICT", class: "runtime" },
  ),
  COMMAND_NOT_FOUND: missing("command_not_found", "Run `claw command-graph` for the list.", { lookup: true }),
  TOOL_NOT_FOUND: missing("tool_not_found", "Run `claw tool-pool` for the list.", { lookup: true }),
  HELP_TOPIC_NOT_FOUND: missing("help_topic_not_found", "Run `claw help` for the list of topics."),
  SCHEMA_NOT_FOUND: missing("schema_not_found", "Run `claw schema` for the list of names."),
  AGENT_NOT_FOUND: missing("agent_not_found", "Check the name of the agent."),
  SKILL_NOT_FOUND: missing("skill_not_found", "Check the name of the skill."),
  PLUGIN_NOT_FOUND: missing("plugin_not_found", "Check the name of the plugin."),
  PLUGIN_SOURCE_NOT_FOUND: missing("plugin_source_not_found", "Give a folder that exists."),
  AGENT_EXISTS: usage("agent_already_exists", "Choose another name, or edit the existing agent.", {
    exit: "CONFLICT",
  }),
} as const;
