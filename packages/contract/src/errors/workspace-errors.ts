import { failure, missing, precondition, usage } from "./error-row.ts";

/** Folders, files, settings and stored sessions. */
export const workspaceErrors = {
  INVALID_CWD: precondition("invalid_cwd", "Give --cwd a folder that exists and can be read.", {
    class: "filesystem",
  }),
  INVALID_OUTPUT_PATH: precondition("invalid_output_path", "Give a file path in a folder that exists.", {
    class: "filesystem",
  }),
  BROAD_CWD_REFUSED: precondition("broad_cwd", "Run it in a project folder, or allow this one explicitly.", {
    class: "policy",
  }),
  FILESYSTEM_ERROR: failure("filesystem_io_error", "Check the path and the disk, then call again.", {
    class: "filesystem",
  }),
  FILE_ACCESS_DENIED: failure("filesystem_io_error", "Check the owner and mode of the path.", {
    class: "filesystem",
    exit: "PERMISSION_DENIED",
  }),
  READ_ONLY_FILESYSTEM: failure("filesystem_io_error", "Use a folder on a disk that can be written.", {
    class: "filesystem",
    exit: "PRECONDITION",
  }),
  DISK_FULL: failure("filesystem_io_error", "Free some space, then call again; no file was half-written.", {
    class: "filesystem",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  RECORDING_NOT_FOUND: missing("recording_not_found", "Give a file that exists, or - for standard input.", {
    class: "filesystem",
  }),
  CONFIG_INVALID: precondition("config_error", "Run `claw config` to see which file and line.", { class: "parse" }),
  FORMAT_UNSUPPORTED: precondition("format_unsupported", "Use the version of claw that wrote it, or a newer one.", {
    class: "filesystem",
  }),
  NOT_A_GIT_REPOSITORY: precondition("no_git_repo", "Run `git init`, or work in a repository.", { class: "runtime" }),
  SESSION_NOT_FOUND: missing("session_not_found", "Run `claw list-sessions` for the stored sessions.", {
    class: "session",
    lookup: true,
  }),
  NO_SESSIONS: missing("no_managed_sessions", 'Store one first: claw flush-transcript "hello".', {
    class: "session",
  }),
  SESSION_CORRUPT: failure("session_load_failed", "Repair or remove the line named in the message.", {
    class: "session",
    phase: "validation",
  }),
  SESSION_UNREADABLE: failure("session_load_failed", "Check that the session is a regular file.", {
    class: "session",
    phase: "validation",
  }),
  SESSION_VERSION_UNSUPPORTED: failure("session_load_failed", "Use the version of claw that wrote the session.", {
    class: "session",
    exit: "PRECONDITION",
    phase: "validation",
  }),
  SESSION_PATH_IS_DIRECTORY: usage("session_path_is_directory", "Move the folder away; a session is a file.", {
    class: "session",
  }),
  SESSION_UNBOUND: precondition("legacy_session_no_workspace_binding", "Load it by its path instead.", {
    class: "session",
  }),
  SESSION_LOCKED: usage("session_locked", "Another process is writing to it; call again when it is done.", {
    class: "session",
    exit: "CONFLICT",
    retryable: true,
  }),
  SESSION_DELETE_FAILED: failure("session_delete_failed", "Check the owner and mode of the sessions folder.", {
    class: "session",
    retryable: true,
  }),
  WORKER_STATE_MISSING: missing("missing_worker_state", "Start a worker first: claw spawn.", { class: "session" }),
  MANIFESTS_MISSING: missing("missing_manifests", "Give a folder that holds manifests.", { class: "filesystem" }),
  AGENT_CREATE_FAILED: failure("agent_create_failed", "Check that the folder can be written.", {
    class: "filesystem",
    retryable: true,
  }),
  BACKUP_NOT_FOUND: missing("backup_not_found", "Give a file that claw backup wrote.", { class: "filesystem" }),
  BACKUP_INVALID: precondition("backup_invalid", "Nothing was changed. Use another backup.", { class: "parse" }),
  DOCTOR_FAILED: failure("doctor_failed", "Follow the hint of each failed check.", { exit: "PARTIAL_FAILURE" }),
} as const;
