import { failure, missing, precondition, usage } from "./error-row.ts";

/** Workers, their terminals, commands, approvals and money. */
export const workerErrors = {
  WORKER_NOT_FOUND: missing("worker_not_found", "List the workers: claw ps.", { class: "delivery" }),
  WORKER_ENDED: precondition("worker_ended", "See its end with claw ps; start it again with claw restart.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  WORKER_RUNNING: precondition("worker_running", "Stop the worker first with claw abort; see claw ps.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  WORKER_ABORTED: failure("worker_aborted", "Start the worker again with claw restart, or remove it with claw rm."),
  WORKER_NAME_TAKEN: precondition("worker_name_taken", "Choose another name; see claw ps.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  WORKER_FAILED: failure("worker_failed", "Read what the worker did, with claw logs and its name."),
  WORKER_NOT_REPORTED: precondition("worker_not_reported", "Wait until the worker has reported: claw ps --watch.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  NOTIFY_NOT_SET: precondition(
    "notify_not_set",
    'Name a command or a webhook in ~/.claw/settings.json, such as "notify":{"command":["notify-send","claw"]}.',
    {
      class: "delivery",
    },
  ),
  NOTIFY_FAILED: failure("notify_failed", "Correct `notify` in your settings; each delivery says what failed.", {
    class: "delivery",
  }),
  MOMENT_GONE: missing("moment_gone", "Use a later moment. The log keeps its newest events only.", {
    class: "delivery",
  }),
  COMMAND_EXPIRED: failure("command_expired", "Look at the worker before you send the command again: claw ps.", {
    class: "delivery",
    exit: "TIMEOUT",
  }),
  COMMAND_REFUSED: failure("command_refused", "Look at the worker: claw ps. The message says why it refused.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  APPROVAL_NOT_FOUND: missing("approval_not_found", "List the open questions: claw approvals.", { class: "delivery" }),
  APPROVAL_ANSWERED: precondition("approval_answered", "There is nothing left to do: the first answer counts.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  APPROVAL_CHANGED: precondition("approval_changed", "Read the changed question: claw approvals.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  APPROVAL_EXPIRED: precondition(
    "approval_expired",
    "The question was refused at its deadline; look at the worker: claw ps.",
    {
      class: "delivery",
      exit: "CONFLICT",
    },
  ),
  BUDGET_EXCEEDED: failure("budget_exceeded", "Raise the limit to continue; the work so far is kept.", {
    class: "policy",
    exit: "PAYMENT_REQUIRED",
  }),
  BUDGET_UNMEASURABLE: precondition("budget_unmeasurable", "Limit the tokens, or choose a model with a known price.", {
    class: "policy",
    exit: "PAYMENT_REQUIRED",
  }),
  TERMINAL_UNAVAILABLE: precondition("terminal_unavailable", "Install @lydell/node-pty for this platform.", {
    class: "runtime",
  }),
  TERMINAL_BUSY: precondition(
    "terminal_busy",
    "The program does not read its input; look at it with claw attach and its name.",
    {
      class: "delivery",
      exit: "CONFLICT",
    },
  ),
  TERMINAL_HOST_FAILED: failure("terminal_host_failed", "Read the reason in .claws/terminals.log."),
  WORKTREE_FAILED: failure("worktree_failed", "Put right what git refused, as the message says, then call again."),
  WORKTREE_HOLDS_WORK: precondition(
    "worktree_holds_work",
    "Look at its work with claw diff, and take it with claw merge.",
    {
      class: "policy",
      exit: "CONFLICT",
    },
  ),
  NO_WORKTREE: precondition(
    "no_worktree",
    "A worker that was started without --worktree changes the folder itself: see git status there.",
  ),
  UNCOMMITTED_WORK: precondition("uncommitted_work", "Commit the files too: give claw merge the flag --commit.", {
    class: "runtime",
  }),
  MERGE_CONFLICT: precondition(
    "merge_conflict",
    "Nothing was changed. Merge the branch with git, and resolve the conflicts there.",
    {
      class: "runtime",
      exit: "CONFLICT",
    },
  ),
  NOT_A_REPOSITORY: precondition(
    "not_a_repository",
    "Run it in a git repository with a commit, or without --worktree.",
    {
      class: "filesystem",
    },
  ),
  FLEET_FAILED: failure("fleet_failed", "See the failed workers: claw ps. Run the fleet again for the rest.", {
    exit: "PARTIAL_FAILURE",
  }),
  FLEET_FILE_INVALID: usage("fleet_file_invalid", "Correct what the message names; see docs/workers.md.", {
    class: "parse",
  }),
} as const;
