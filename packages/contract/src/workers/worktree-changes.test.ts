import { expect, test } from "vitest";
import { worktreeChangesIn } from "./worktree-changes.ts";

const DIFF = { files: 2, insertions: 5, deletions: 1 };

test.each([
  [
    { diff: DIFF, commits: [{ sha: "a" }], uncommitted: 1 },
    { ...DIFF, commits: 1, uncommitted: 1 },
  ],
  [
    { diff: { files: "2" }, commits: [] },
    { files: 0, insertions: 0, deletions: 0, commits: 0, uncommitted: 0 },
  ],
  [{ diff: null, commits: [] }, null],
  [{ diff: DIFF }, null],
  [{}, null],
])("a report %o says of its worktree %o", (report, changes) => {
  expect(worktreeChangesIn(report)).toEqual(changes);
});
