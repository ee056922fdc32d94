import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { requireChanges, takeLeft } from "./worker-work.ts";

test("a worktree that goes while it is looked at is no failure of git, and no bug", async () => {
  const repository = temporaryFolder(onTestFinished);
  const worktree = { path: join(repository, "gone"), branch: "claw/fix", base: "HEAD", repository };
  const work = { peerId: "p_1", name: "fix", worktree, ended: true, accepted: false } as Parameters<typeof takeLeft>[0];
  await expect(takeLeft(work, { env: {} })).rejects.toMatchObject({ code: "NO_WORKTREE", target: "fix" });
  await expect(requireChanges(work, "HEAD")).rejects.toMatchObject({ code: "NO_WORKTREE", target: "fix" });
});
