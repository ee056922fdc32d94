import * as z from "zod";
import { HARNESS_IDS } from "../../runs/harness-names.ts";
import { STATE_SOURCES, TROUBLE_ACTIONS, WORKER_MODES, WORKER_STATES } from "../../workers/worker-words.ts";
import { bareEvent } from "../event-row.ts";
import { amount, anyText, Artifact, flag, list, record, requestId, text, texts, timestamp, whole } from "../fields.ts";
import { PHASES } from "../phases.ts";
import { RequestOption, SEVERITIES } from "../worker-event.ts";
import { WORKER_RESULTS } from "./worker.ts";
import { Worktree, WORKTREE_EVENTS } from "./worktree.ts";

const peerId = text("The worker this is about.");
const ts = timestamp("When.");
const action = (description: string) => z.enum(TROUBLE_ACTIONS).describe(description);

export const WorkerBudget = z
  .looseObject({
    usd: amount("In US dollars.").optional(),
    tokens: amount("In tokens.").optional(),
    run: z
      .looseObject({ usd: amount("In US dollars.").optional(), tokens: amount("In tokens.").optional() })
      .optional()
      .describe("The same for one start of it."),
  })
  .describe("What it may spend, its sub-agents included.");
export type WorkerBudget = z.infer<typeof WorkerBudget>;

const Unreported = z
  .looseObject({
    tokens: amount("Tokens."),
    cost_usd: amount("Dollars, estimated from the tokens."),
    unknown_calls: amount("Model calls that were cut off; their usage is unknown."),
  })
  .describe("What this life of the worker spent and could not report any more, from the files of its agent.");

/** What is done about a worker in trouble. */
export const TroublePlan = z
  .looseObject({
    stale: action("When nothing was heard of it for too long."),
    hung: action("When it lives and gets nowhere."),
    crash: action("When its process ended before its work was done."),
    restarts: whole("How often it is started anew before the breaker opens."),
  })
  .describe("What is done when it is in trouble.");
export type TroublePlan = z.infer<typeof TroublePlan>;

export const WorkerSpawned = z.looseObject({
  peerId,
  name: text("Its name for people; unique among workers that run."),
  harness: z.enum(HARNESS_IDS).describe("Agent it runs."),
  mode: z.enum(WORKER_MODES).describe("Whether the agent runs in a terminal or without one."),
  mission: text("What it is to do."),
  model: text("Model it was told to use.").nullable(),
  cwd: text("Where it works."),
  parent_id: text("Peer that spawned it.").nullable(),
  fleet: text("Fleet it belongs to.").nullable(),
  bootId: text("This life of it."),
  attempt: whole("1 for the first start; a restart counts on."),
  reason: anyText("Why it was started anew.").optional(),
  pid: whole("Its process.").nullable(),
  worktree: Worktree.nullable(),
  checks: texts("Commands that show whether its work is done."),
  budget: WorkerBudget.nullable(),
  trouble: TroublePlan,
  folder: text("Where what it needs and leaves is kept."),
  start_key: text(
    "Hash of the caller and the key of its request; the same request starts no second worker.",
  ).optional(),
  ts,
});
export type WorkerSpawned = z.infer<typeof WorkerSpawned>;

export const WorkerStateChanged = z.looseObject({
  peerId,
  state: z.enum(WORKER_STATES).describe("What it is doing."),
  previous: z.enum(WORKER_STATES).nullable().describe("What it was doing before."),
  phase: z.enum(PHASES).nullable().describe("Phase it said it is in."),
  reason: anyText("Why it is said to."),
  source: z.enum(STATE_SOURCES).describe("Who says so."),
  as_of: timestamp("When that was known."),
  until: timestamp("When it is expected to end.").nullable().optional(),
  evidence: whole("Sequence of the event it follows from.").nullable().optional(),
  silent: flag("Whether nothing is heard of it, where that is not its state.").optional(),
  ts,
});
export type WorkerStateChanged = z.infer<typeof WorkerStateChanged>;

export const VerifiedArtifact = Artifact.extend({
  sha256: text("Hash of what was there when it was reported.").nullable(),
  problem: anyText("Why it has no hash.").optional(),
});

export const WorkerCompleted = z.looseObject({
  peerId,
  sequence: whole("Sequence of what it reported."),
  result: z.enum(WORKER_RESULTS).describe("How it says it ended."),
  summary: anyText("What it says it did."),
  artifacts: list(VerifiedArtifact, "Files it handed over, as they were then."),
  doubts: texts("What speaks against it, for example no_work."),
  ts,
});
export type WorkerCompleted = z.infer<typeof WorkerCompleted>;

export const CheckResult = z.looseObject({
  command: text("What was run."),
  passed: flag("Whether it ended with 0."),
  exit_code: z.int().nullable().describe("Its exit; null when it did not come to one."),
  duration_ms: amount("How long it took."),
  output_tail: anyText("The end of what it printed."),
  output_path: text("All it printed.").nullable(),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const WorkerVerified = z.looseObject({
  peerId,
  sequence: whole("Sequence of the report that was checked."),
  passed: flag("Whether every check passed."),
  checks: list(CheckResult, "The checks that were run."),
  ts,
});
export type WorkerVerified = z.infer<typeof WorkerVerified>;

export const WorkerJudged = z.looseObject({
  peerId,
  by: text("Who judged."),
  reason: anyText("What was said to it.").optional(),
  ts,
});

export const WorkerTerminated = z.looseObject({
  peerId: text("The worker whose process ended.").optional(),
  pid: whole("Its process.").nullable().optional(),
  exit_code: z.int().nullable().optional().describe("Exit code; null after a signal, or when unknown."),
  signal: text("Signal that ended it.").nullable().optional(),
  expected: flag("Whether its work was done or it had been told to end.").optional(),
  unreported: Unreported.optional(),
  ts: timestamp("When.").optional(),
});
export type WorkerTerminated = z.infer<typeof WorkerTerminated>;

export const WorkerRemoved = z.looseObject({
  peerId: text("The worker that was removed."),
  name: text("Its name."),
  by: text("Who removed it."),
  ts,
});

/** Trouble with a worker that a person should look at. */
export const WorkerAlert = z.looseObject({
  peerId,
  severity: z.enum(SEVERITIES).describe("How bad it is."),
  message: text("What is wrong, for people."),
  trouble: text("stale, hung, crash, crash_loop, stuck, failed, budget, …"),
  action: text("What is done about it: nudge, restart, or alert when only a person can."),
  evidence: whole("Sequence of the event that told of the trouble.").optional(),
  due: timestamp("When it is started anew, or when a person is called if nothing changes.").nullable().optional(),
  ts,
});
export type WorkerAlert = z.infer<typeof WorkerAlert>;

export const APPROVAL_DECISIONS = ["approve", "reject"] as const;

export const ApprovalOpened = z.looseObject({
  approvalId: text("Its id; other content has another."),
  peerId,
  bootId: text("Life of the worker that asks."),
  requestId: requestId("What the worker calls it."),
  sequence: whole("Sequence of the question."),
  kind: z.enum(["BLOCKED", "REQUEST"]).describe("What it came from."),
  message: text("What is asked, in a line."),
  subject: record("What exactly is asked for: tool, argv, diff, input, cwd."),
  hash: text("Hash of message, subject and options."),
  options: list(RequestOption, "Answers to choose from."),
  deadline: timestamp("When it is answered with the default."),
  default: z.enum(APPROVAL_DECISIONS).describe("What happens then."),
  ts,
});
export type ApprovalOpened = z.infer<typeof ApprovalOpened>;

export const ApprovalAnswered = z.looseObject({
  approvalId: text("Which one."),
  peerId,
  decision: z.enum(APPROVAL_DECISIONS).describe("What was decided."),
  chosen: text("Option that was chosen.").nullable(),
  reason: anyText("Why.").nullable(),
  by: text("Peer that answered; `server` for a rule."),
  rule: text("Rule that answered.").nullable(),
  hash: text("Hash of what was answered."),
  ts,
});
export type ApprovalAnswered = z.infer<typeof ApprovalAnswered>;

export const ApprovalExpired = z.looseObject({
  approvalId: text("Which one."),
  peerId,
  reason: z.enum(["deadline", "changed", "worker_ended", "withdrawn"]).describe("Why no answer is possible any more."),
  ts,
});
export type ApprovalExpired = z.infer<typeof ApprovalExpired>;

export const SUPERVISION_EVENTS = [
  bareEvent({
    address: "system.worker.spawned",
    name: "system-worker-spawned-v1",
    schema: WorkerSpawned,
    summary: "A worker's process was started, for the first time or anew.",
  }),
  bareEvent({
    address: "system.worker.state",
    name: "system-worker-state-v1",
    schema: WorkerStateChanged,
    summary: "A worker is doing something else than before.",
  }),
  bareEvent({
    address: "system.worker.completed",
    name: "system-worker-completed-v1",
    schema: WorkerCompleted,
    summary: "A worker reported its result; what it handed over was hashed.",
  }),
  bareEvent({
    address: "system.worker.verified",
    name: "system-worker-verified-v1",
    schema: WorkerVerified,
    summary: "The checks of a worker were run.",
  }),
  bareEvent({
    address: "system.worker.accepted",
    name: "system-worker-accepted-v1",
    schema: WorkerJudged,
    summary: "A worker's result was accepted.",
  }),
  bareEvent({
    address: "system.worker.rework",
    name: "system-worker-rework-v1",
    schema: WorkerJudged,
    summary: "A worker's result was sent back.",
  }),
  bareEvent({
    address: "system.worker.terminated",
    name: "system-worker-terminated-v1",
    schema: WorkerTerminated,
    summary: "A worker's process, or the terminal it ran in, ended.",
  }),
  bareEvent({
    address: "system.worker.removed",
    name: "system-worker-removed-v1",
    schema: WorkerRemoved,
    summary: "A worker that had ended was removed, with its folder and a worktree without work.",
  }),
  ...WORKTREE_EVENTS,
  bareEvent({
    address: "system.worker.alert",
    name: "system-worker-alert-v1",
    schema: WorkerAlert,
    summary: "A worker is in trouble, and this is done about it.",
  }),
  bareEvent({
    address: "system.approval.opened",
    name: "system-approval-opened-v1",
    schema: ApprovalOpened,
    summary: "A worker asks for something that has to be answered.",
  }),
  bareEvent({
    address: "system.approval.answered",
    name: "system-approval-answered-v1",
    schema: ApprovalAnswered,
    summary: "It was answered, and this answer counts.",
  }),
  bareEvent({
    address: "system.approval.expired",
    name: "system-approval-expired-v1",
    schema: ApprovalExpired,
    summary: "The question can no longer be answered.",
  }),
] as const;
