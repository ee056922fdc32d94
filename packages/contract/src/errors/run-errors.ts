import { failure, missing, precondition } from "./error-row.ts";

/** Credentials, models, tool servers, turns, and the end of a run. */
export const runErrors = {
  TOKEN_MISSING: precondition("auth_error", "Set the key of your provider, for example ANTHROPIC_API_KEY.", {
    class: "auth",
    exit: "AUTH_REQUIRED",
  }),
  TOKEN_INVALID: failure("auth_error", "Get a new key from your provider.", { class: "auth", exit: "AUTH_REQUIRED" }),
  TOKEN_EXPIRED: failure("auth_error", "Refresh the credentials and call again.", {
    class: "auth",
    exit: "AUTH_REQUIRED",
  }),
  PAYMENT_REQUIRED: failure("model_error", "Add credit to the account of the key in use.", {
    class: "auth",
    exit: "PAYMENT_REQUIRED",
  }),
  RATE_LIMIT_EXCEEDED: failure("model_error", "Wait for retry_after, then call again.", {
    exit: "RATE_LIMITED",
    retryable: true,
  }),
  UPSTREAM_UNAVAILABLE: failure("model_error", "The provider is down or overloaded; call again later.", {
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  UPSTREAM_REJECTED: failure("model_error", "Check the model id and the request; the provider refused it."),
  UPSTREAM_UNREACHABLE: failure("model_error", "Check the network, the proxy and the base URL.", {
    class: "delivery",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  RETRIES_EXHAUSTED: failure("model_error", "The provider kept failing; call again later.", {
    class: "delivery",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  CONTEXT_WINDOW_EXCEEDED: failure("context_window", "Compact the session or start a new one.", {
    exit: "PRECONDITION",
  }),
  REQUEST_TOO_LARGE: precondition("request_size", "Send a shorter text or a smaller event.", { class: "runtime" }),
  PERMISSION_DENIED: failure("permission_denied", "Allow it in the settings or with --permission-mode.", {
    class: "policy",
    exit: "PERMISSION_DENIED",
  }),
  TOOL_FAILED: failure("tool_failed", "Read the tool's output, correct the call, then call again."),
  MCP_CONFIG_INVALID: precondition("config_error", "Correct the mcpServers entry named in the message.", {
    class: "mcp",
  }),
  MCP_SERVER_NOT_FOUND: missing("server_not_found", "Check the name of the server.", { class: "mcp" }),
  MCP_SERVER_UNAVAILABLE: failure("mcp_server_unavailable", "Start the server by hand and check that it answers.", {
    class: "mcp",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  HARNESS_NOT_FOUND: precondition("harness_not_found", "Install the agent, or name another one with --harness.", {
    class: "runtime",
  }),
  HARNESS_NOT_EXECUTABLE: precondition(
    "harness_not_executable",
    "Make the file executable, or install the agent again.",
    {
      class: "filesystem",
    },
  ),
  HARNESS_FAILED: failure("harness_failed", "Read result.error and what the agent wrote to stderr."),
  IDLE_TIMEOUT: failure("timeout", "Allow a longer silence with --idle-timeout-seconds.", { exit: "TIMEOUT" }),
  TURN_TIMEOUT: failure("turn_timeout", "Allow more time with --timeout-seconds.", {
    exit: "TIMEOUT",
    retryable: true,
  }),
  TURN_CANCELLED: failure("turn_cancelled", "Call again; the cancelled turn left no trace.", { retryable: true }),
  PLATFORM_UNSUPPORTED: precondition("platform_unsupported", "Use Linux or macOS; on Windows, its Linux subsystem.", {
    class: "runtime",
  }),
  DAEMON_RUNNING: precondition("daemon_running", "Use the running daemon, or stop it first: claw down.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  DAEMON_FAILED: failure("daemon_failed", "Read the reason in .claws/daemon.log.", { class: "delivery" }),
  DAEMON_NOT_RUNNING: precondition("daemon_not_running", "Start the daemon: claw up.", { class: "delivery" }),
  BUS_UNREACHABLE: failure("bus_unreachable", "Check that the daemon runs and that its address is right: claw up.", {
    class: "delivery",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  BUS_CLOSED: precondition("bus_closed", "Open a new client; this one is closed.", { class: "delivery" }),
  BUS_REFUSED: failure("bus_refused", "Correct the call; the message says what the bus did not accept.", {
    class: "delivery",
  }),
  BUS_INCOMPATIBLE: precondition("bus_incompatible", "Use a daemon and a client of the same release.", {
    class: "delivery",
  }),
  PROTOCOL_MISMATCH: precondition(
    "protocol_mismatch",
    "Restart the older of the two with the newer version: the daemon with claw up --replace, a worker with claw restart.",
    { class: "delivery" },
  ),
  DOWNGRADE_REFUSED: precondition(
    "downgrade_refused",
    "Call the newer version of claw, or stop the daemon: claw down.",
    {
      class: "delivery",
      exit: "CONFLICT",
    },
  ),
  PEER_TAKEN_OVER: failure("peer_taken_over", "Give each process its own identity.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  TERMINAL_NOT_FOUND: missing("terminal_not_found", "List the open terminals: claw terminal list.", {
    class: "delivery",
  }),
  DURABLE_TAKEN_OVER: failure("durable_taken_over", "Give each reader its own durable name.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  PUBLISH_FORBIDDEN: precondition("publish_forbidden", "Publish on topics of your own role and peer id only.", {
    class: "policy",
    exit: "PERMISSION_DENIED",
  }),
  PUBLISH_INVALID: precondition("publish_invalid", "Correct the fields named in the details.", {
    class: "parse",
    exit: "ARG_ERROR",
  }),
  PUBLISH_CONFLICT: precondition("publish_conflict", "Give each event its own id.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  PUBLISH_RATE_LIMITED: failure("publish_rate_limited", "Wait for retry_after, then publish again.", {
    class: "delivery",
    exit: "RATE_LIMITED",
    retryable: true,
  }),
  PUBLISH_NOT_STORED: failure(
    "publish_not_stored",
    "The log could not be written; free disk space, then publish again.",
    {
      class: "delivery",
      exit: "UNAVAILABLE",
      retryable: true,
    },
  ),
  GATE_REFUSED: precondition("gate_refused", "Publish boot first, then phases, then complete.", { class: "policy" }),
  SPOOL_FULL: failure("spool_full", "Wait until the bus has taken the earlier events, then call again.", {
    class: "delivery",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  FAKE_SCENARIO_NOT_FOUND: missing(
    "fake_scenario_not_found",
    "Run `claw fake-agent` for the built-in scenarios, or give a file.",
  ),
  FAKE_SCENARIO_INVALID: precondition(
    "fake_scenario_invalid",
    "Correct what the message names; `claw schema fake-scenario` has the form.",
    { class: "parse", exit: "ARG_ERROR" },
  ),
  MODEL_SCRIPT_NOT_FOUND: missing("model_script_not_found", "Give a file that exists: --model scripted:FILE."),
  MODEL_SCRIPT_INVALID: precondition(
    "model_script_invalid",
    "Correct what the message names; `claw schema model-script` has the form.",
    { class: "parse", exit: "ARG_ERROR" },
  ),
  TIMEOUT: failure("timeout", "Allow more time with --timeout-seconds.", { exit: "TIMEOUT" }),
  CANCELLED: failure("cancelled", "Call again to start over.", { retryable: true }),
  INTERNAL_ERROR: failure("unknown", "This is a bug in claw; run with --verbose for its trace.", {
    class: "unknown",
  }),
} as const;
