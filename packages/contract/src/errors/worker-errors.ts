import { failure, missing, precondition, usage } from "./error-row.ts";

/** Workers, their terminals, commands, approvals and money. */
export const workerErrors = {
  WORKER_NOT_FOUND: missing("worker_not_found", "List the workers: claw ps.", { class: "delivery" }),
  WORKER_ENDED: precondition("worker_ended", "See how it ended with claw ps; start it again with claw restart.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  WORKER_RUNNING: precondition("worker_running", "Stop it first with claw abort; see claw ps.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  WORKER_ABORTED: failure("worker_aborted", "Start it again with claw restart, or remove it with claw rm."),
  WORKER_NAME_TAKEN: precondition("worker_name_taken", "Choose another name; see claw ps.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  WORKER_FAILED: failure("worker_failed", "Look at what it left behind, with claw logs and its name."),
  WORKER_NOT_REPORTED: precondition("worker_not_reported", "Wait until it has reported: claw ps --watch.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  COMMAND_EXPIRED: failure("command_expired", "Look at the worker before sending it again: claw ps.", {
    class: "delivery",
    exit: "TIMEOUT",
  }),
  COMMAND_REFUSED: failure("command_refused", "The message says why; look at the worker: claw ps.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  APPROVAL_NOT_FOUND: missing("approval_not_found", "See what is open: claw approvals.", { class: "delivery" }),
  APPROVAL_ANSWERED: precondition("approval_answered", "There is nothing left to do: the first answer counts.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  APPROVAL_CHANGED: precondition("approval_changed", "Look at what is asked now: claw approvals.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  APPROVAL_EXPIRED: precondition("approval_expired", "It was refused when its time was over.", {
    class: "delivery",
    exit: "CONFLICT",
  }),
  BUDGET_EXCEEDED: failure("budget_exceeded", "Raise the limit, or leave it: what was done until then is kept.", {
    class: "policy",
    exit: "PAYMENT_REQUIRED",
  }),
  BUDGET_UNMEASURABLE: precondition("budget_unmeasurable", "Limit its tokens, or choose a model with a known price.", {
    class: "policy",
    exit: "PAYMENT_REQUIRED",
  }),
  TERMINAL_UNAVAILABLE: precondition("terminal_unavailable", "Install @lydell/node-pty for this platform.", {
    class: "runtime",
  }),
  TERMINAL_BUSY: precondition(
    "terminal_busy",
    "Its program does not read; look at it first, with claw attach and its name.",
    {
      class: "delivery",
      exit: "CONFLICT",
    },
  ),
  TERMINAL_HOST_FAILED: failure("terminal_host_failed", "Look into .claws/terminals.log for the reason."),
  WORKTREE_FAILED: failure("worktree_failed", "The message says what git refused."),
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
    "A worker without a worktree changes the folder itself: git status shows it.",
  ),
  UNCOMMITTED_WORK: precondition(
    "uncommitted_work",
    "Have the files committed as well: give claw merge the flag --commit.",
    {
      class: "runtime",
    },
  ),
  MERGE_CONFLICT: precondition(
    "merge_conflict",
    "Nothing was changed. Merge the branch with git, and solve it there.",
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
  FLEET_FAILED: failure("fleet_failed", "Look at the workers that failed: claw ps; run it again for the rest.", {
    exit: "PARTIAL_FAILURE",
  }),
  FLEET_FILE_INVALID: usage("fleet_file_invalid", "Correct what the message names; see docs/workers.md.", {
    class: "parse",
  }),
} as const;
