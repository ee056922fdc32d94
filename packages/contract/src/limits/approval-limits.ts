/** Bounds of what workers ask for and report. Part of `LIMITS`. */
export const APPROVAL_LIMITS = {
  /** Default time in which a worker's question can be answered; shortest and longest time a worker may set. */
  approvalMs: 60 * 60 * 1000,
  approvalLeastMs: 1000,
  approvalMostMs: 7 * 24 * 60 * 60 * 1000,
  /** Characters of an approval's subject, and of the options. */
  approvalChars: 16 * 1024,
  /** Characters of the message in an approval. */
  approvalMessageChars: 2000,
  /** Questions one worker may have open; further ones are refused. */
  openApprovals: 100,
  /** Closed approvals that can still be looked up; the daemon forgets the oldest first. */
  closedApprovals: 500,
  /** Characters of the subjects in one answer to `approval.list`. */
  approvalListChars: 2 * 1024 * 1024,
  approvalRules: 1000,
  /** Largest hashed artifact; number of hashed artifacts in a report. */
  artifactBytes: 1024 * 1024 * 1024,
  artifacts: 1000,
  /** Limits of a check of a worker's result: time, and output bytes kept. */
  checkMs: 10 * 60 * 1000,
  checkOutputBytes: 4 * 1024 * 1024,
  /** Workers whose checks run at a time. */
  checksAtOnce: 2,
  /** Reports of workers that are remembered; the oldest are forgotten first. */
  reports: 1000,
} as const;
