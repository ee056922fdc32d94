import { describe, expect, test } from "vitest";
import { ERROR_CLASSES } from "./error-row.ts";
import type { ErrorCode } from "./errors.ts";
import { ClawError, ERROR_CODES, errorRow } from "./errors.ts";
import { EXITS } from "./exits.ts";

const rows = ERROR_CODES.map((code) => ({ code, ...errorRow(code) }));

describe("every row", () => {
  test.each(rows)("$code has a code, a kind, a class, an exit and a phase of the closed lists", (row) => {
    expect(row).toEqual(
      expect.objectContaining({
        code: expect.stringMatching(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/),
        kind: expect.stringMatching(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/),
        class: expect.toSatisfy((name) => ERROR_CLASSES.includes(name)),
        exit: expect.toSatisfy((name) => Object.hasOwn(EXITS, name)),
        phase: expect.toSatisfy((phase) => ["validation", "execution", "cleanup"].includes(phase)),
        retryable: expect.any(Boolean),
      }),
    );
  });

  test.each(rows)("$code has a hint that is a sentence", ({ hint }) => {
    expect(hint).toMatch(/^[A-Z].{8,}\.$/);
  });

  test.each(rows)("$code has a hint without a placeholder", ({ hint }) => {
    const words = hint.replaceAll(/ANTHROPIC_API_KEY|--model scripted:FILE|JSON|MCP|URL/g, "");
    expect(words).not.toMatch(/<[^>]*>|\b[A-Z]{2,}\b/);
  });

  test("no failure claims success", () => {
    expect(rows.filter((row) => row.exit === "SUCCESS")).toEqual([]);
  });

  test("what was done in part is never said to be safe to repeat", () => {
    expect(rows.filter((row) => row.retryable && row.exit === "PARTIAL_FAILURE")).toEqual([]);
  });

  test("a refusal before anything happened never exits as if something had", () => {
    const refused = rows.filter((row) => row.phase === "validation" && row.class !== "session");
    expect(refused.filter((row) => EXITS[row.exit].sideEffects !== "none")).toEqual([]);
  });

  test("a failure that may pass by itself never exits as a wrong call, a missing thing or a refusal", () => {
    const final = new Set(["ARG_ERROR", "NOT_FOUND", "PERMISSION_DENIED", "PRECONDITION", "REDIRECTED"]);
    expect(rows.filter((row) => row.retryable && final.has(row.exit))).toEqual([]);
  });

  test("only sessions, commands and tools are looked up by name", () => {
    const lookups = rows.filter((row) => row.lookup);
    expect(lookups.map(({ code, kind, exit }) => [code, kind, exit])).toEqual([
      ["COMMAND_NOT_FOUND", "command_not_found", "NOT_FOUND"],
      ["TOOL_NOT_FOUND", "tool_not_found", "NOT_FOUND"],
      ["SESSION_NOT_FOUND", "session_not_found", "NOT_FOUND"],
    ]);
  });
});

/** What programs written against earlier systems know: code, kind, class, exit, retryable, phase. */
const KNOWN = `
  UNKNOWN_COMMAND             command_not_found                     usage       ARG_ERROR          no   validation
  COMMAND_NOT_FOUND           command_not_found                     usage       NOT_FOUND          no   validation
  TOOL_NOT_FOUND              tool_not_found                        usage       NOT_FOUND          no   validation
  UNKNOWN_SLASH_COMMAND       unknown_slash_command                 usage       ARG_ERROR          no   validation
  ARGUMENT_PARSE_ERROR        cli_parse                             parse       ARG_ERROR          no   validation
  UNKNOWN_OPTION              unknown_option                        parse       ARG_ERROR          no   validation
  MISSING_FLAG_VALUE          missing_flag_value                    usage       ARG_ERROR          no   validation
  INVALID_FLAG_VALUE          invalid_flag_value                    usage       ARG_ERROR          no   validation
  INVALID_PERMISSION_MODE     invalid_permission_mode               usage       ARG_ERROR          no   validation
  INVALID_OUTPUT_FORMAT       invalid_output_format                 usage       ARG_ERROR          no   validation
  INVALID_MODEL               invalid_model                         usage       ARG_ERROR          no   validation
  INVALID_TOOL_NAME           invalid_tool_name                     usage       ARG_ERROR          no   validation
  MISSING_ARGUMENT            missing_argument                      usage       ARG_ERROR          no   validation
  MISSING_PROMPT              missing_prompt                        usage       ARG_ERROR          no   validation
  INVALID_RESUME_ARGUMENT     invalid_resume_argument               usage       ARG_ERROR          no   validation
  INVALID_HISTORY_COUNT       invalid_history_count                 usage       ARG_ERROR          no   validation
  INVALID_AGENT_NAME          invalid_agent_name                    usage       ARG_ERROR          no   validation
  INVALID_INSTALL_SOURCE      invalid_install_source                usage       ARG_ERROR          no   validation
  UNKNOWN_SUBCOMMAND          unsupported_action                    usage       ARG_ERROR          no   validation
  INVALID_CWD                 invalid_cwd                           filesystem  PRECONDITION       no   validation
  INVALID_OUTPUT_PATH         invalid_output_path                   filesystem  PRECONDITION       no   validation
  FILESYSTEM_ERROR            filesystem_io_error                   filesystem  GENERAL_ERROR      no   execution
  BROAD_CWD_REFUSED           broad_cwd                             policy      PRECONDITION       no   validation
  CONFIRMATION_REQUIRED       confirmation_required                 policy      PRECONDITION       no   validation
  INTERACTIVE_ONLY            interactive_only                      usage       PRECONDITION       no   validation
  UNSUPPORTED_COMMAND         unsupported_command                   usage       PRECONDITION       no   validation
  NOT_IMPLEMENTED             not_yet_implemented                   usage       UNAVAILABLE        no   validation
  COMMAND_REMOVED             removed_subcommand                    usage       ARG_ERROR          no   validation
  CONTEXT_WINDOW_EXCEEDED     context_window                        runtime     PRECONDITION       no   execution
  REQUEST_TOO_LARGE           request_size                          runtime     PRECONDITION       no   validation
  SESSION_NOT_FOUND           session_not_found                     session     NOT_FOUND          no   validation
  NO_SESSIONS                 no_managed_sessions                   session     NOT_FOUND          no   validation
  SESSION_CORRUPT             session_load_failed                   session     GENERAL_ERROR      no   validation
  SESSION_UNREADABLE          session_load_failed                   session     GENERAL_ERROR      no   validation
  SESSION_PATH_IS_DIRECTORY   session_path_is_directory             session     ARG_ERROR          no   validation
  SESSION_UNBOUND             legacy_session_no_workspace_binding   session     PRECONDITION       no   validation
  SESSION_DELETE_FAILED       session_delete_failed                 session     GENERAL_ERROR      yes  execution
  SESSION_LOCKED              session_locked                        session     CONFLICT           yes  validation
  WORKER_STATE_MISSING        missing_worker_state                  session     NOT_FOUND          no   validation
  MANIFESTS_MISSING           missing_manifests                     filesystem  NOT_FOUND          no   validation
  MCP_SERVER_NOT_FOUND        server_not_found                      mcp         NOT_FOUND          no   validation
  AGENT_NOT_FOUND             agent_not_found                       usage       NOT_FOUND          no   validation
  SKILL_NOT_FOUND             skill_not_found                       usage       NOT_FOUND          no   validation
  PLUGIN_NOT_FOUND            plugin_not_found                      usage       NOT_FOUND          no   validation
  PLUGIN_SOURCE_NOT_FOUND     plugin_source_not_found               usage       NOT_FOUND          no   validation
  AGENT_EXISTS                agent_already_exists                  usage       CONFLICT           no   validation
  AGENT_CREATE_FAILED         agent_create_failed                   filesystem  GENERAL_ERROR      yes  execution
  NOT_A_GIT_REPOSITORY        no_git_repo                           runtime     PRECONDITION       no   validation
  DOCTOR_FAILED               doctor_failed                         runtime     PARTIAL_FAILURE    no   execution
  INTERNAL_ERROR              unknown                               unknown     GENERAL_ERROR      no   execution
`;

/** Where a wider kind than the old token is used, or where the old table names no token. */
const KNOWN_WITH_OTHER_KINDS = `
  TOKEN_MISSING               auth_error                            auth        AUTH_REQUIRED      no   validation
  TOKEN_INVALID               auth_error                            auth        AUTH_REQUIRED      no   execution
  TOKEN_EXPIRED               auth_error                            auth        AUTH_REQUIRED      no   execution
  RATE_LIMIT_EXCEEDED         model_error                           runtime     RATE_LIMITED       yes  execution
  UPSTREAM_UNAVAILABLE        model_error                           runtime     UNAVAILABLE        yes  execution
  UPSTREAM_REJECTED           model_error                           runtime     GENERAL_ERROR      no   execution
  PAYMENT_REQUIRED            model_error                           auth        PAYMENT_REQUIRED   no   execution
  UPSTREAM_UNREACHABLE        model_error                           delivery    UNAVAILABLE        yes  execution
  RETRIES_EXHAUSTED           model_error                           delivery    UNAVAILABLE        yes  execution
  CONFIG_INVALID              config_error                          parse       PRECONDITION       no   validation
  MCP_CONFIG_INVALID          config_error                          mcp         PRECONDITION       no   validation
  MCP_SERVER_UNAVAILABLE      mcp_server_unavailable                mcp         UNAVAILABLE        yes  execution
  PERMISSION_DENIED           permission_denied                     policy      PERMISSION_DENIED  no   execution
  TURN_TIMEOUT                turn_timeout                          runtime     TIMEOUT            yes  execution
  TURN_CANCELLED              turn_cancelled                        runtime     GENERAL_ERROR      yes  execution
`;

/** A wrong command line is of class parse, also where the old table says usage. */
const KNOWN_WITH_OTHER_CLASS = `
  UNEXPECTED_ARGUMENTS        unexpected_extra_args                 parse       ARG_ERROR          no   validation
`;

const tableRows = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));

describe("what is known from earlier systems", () => {
  test.each([
    ["keeps its token, class and exit", KNOWN],
    ["has the wider kind of the contract", KNOWN_WITH_OTHER_KINDS],
    ["has the class of the contract", KNOWN_WITH_OTHER_CLASS],
  ])("%s", (_name, table) => {
    const expected = tableRows(table);
    const actual = expected.map(([code]) => {
      const { kind, class: name, exit, retryable, phase } = errorRow(code as ErrorCode);
      return [code, kind, name, exit, retryable ? "yes" : "no", phase];
    });
    expect(actual).toEqual(expected);
  });
});

test("an error takes hint and retryable from its row", () => {
  const error = new ClawError("SESSION_LOCKED", "it is held", { operation: "lock", target: "s1" });
  expect(error).toMatchObject({
    name: "ClawError",
    code: "SESSION_LOCKED",
    message: "it is held",
    operation: "lock",
    target: "s1",
    retryable: true,
    hint: "Another process is writing to it; call again when it is done.",
    options: { operation: "lock", target: "s1" },
  });
  expect(error.cause).toBeUndefined();
});

test("an instance that knows better says so", () => {
  const cause = new Error("EBUSY");
  const error = new ClawError("FILESYSTEM_ERROR", "busy", {
    operation: "open",
    target: "f",
    retryable: true,
    hint: "Wait.",
    cause,
  });
  expect([error.retryable, error.hint, error.cause]).toEqual([true, "Wait.", cause]);
});
