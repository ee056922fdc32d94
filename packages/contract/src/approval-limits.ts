/** Bounds of what workers ask for and report. Part of `LIMITS`. */
export const APPROVAL_LIMITS = {
  /** How long a question of a worker may be answered unless it says otherwise; the least and the most it may say. */
  approvalMs: 60 * 60 * 1000,
  approvalLeastMs: 1000,
  approvalMostMs: 7 * 24 * 60 * 60 * 1000,
  /** Characters of what exactly is asked, and of its options, that an approval holds; arrays and objects in each other in it. */
  approvalChars: 16 * 1024,
  approvalDepth: 64,
  /** Characters of the line in which something is asked. */
  approvalMessageChars: 2000,
  /** Questions one worker may have open; further ones are refused. */
  openApprovals: 100,
  /** Approvals that are over and can still be looked up; the oldest are forgotten first. */
  closedApprovals: 500,
  /** Characters of what is asked that one answer to `approval.list` holds. */
  approvalListChars: 2 * 1024 * 1024,
  approvalRules: 1000,
  /** An artifact of a worker; a larger one is not hashed. Artifacts of one report that are. */
  artifactBytes: 1024 * 1024 * 1024,
  artifacts: 1000,
  /** A check of a worker's result: how long it may take, what is kept of its output, and how much of its end is told. */
  checkMs: 10 * 60 * 1000,
  checkOutputBytes: 4 * 1024 * 1024,
  checkTailBytes: 4 * 1024,
  /** Workers whose checks run at a time. */
  checksAtOnce: 2,
  /** Reports of workers that are remembered; the oldest are forgotten first. */
  reports: 1000,
} as const;
