import type { FakeScenarioText } from "claw-contract/schemas";
import { expect, test } from "vitest";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire, readLog } from "./daemon-process.ts";
import type { PageScene } from "./page-scene.ts";
import { holdBack, openPageScene, sees } from "./page-scene.ts";
import { clawJson } from "./run-claw.ts";
import { makeRepository } from "./work-scene.ts";

const changes = {
  type: "tool",
  name: "Bash",
  input: { command: "make" },
  runs: "echo two >> a.txt; echo 'x = <b>' > b.txt",
} as const;

/** Changes files, then asks, so that the worker stays until it is answered. */
const WORKS: FakeScenarioText = {
  steps: [
    changes,
    {
      type: "permission",
      tool: "Bash",
      input: { command: "git push" },
      allowed: [{ type: "text", text: "Pushed." }],
      denied: [],
    },
  ],
  later: [[{ type: "text", text: "You said: {{prompt}}" }]],
};

const topicsOf = ({ workspace }: PageScene, ending: string): Frame[] =>
  readLog(workspace).filter(({ topic }) => String(topic).endsWith(ending));

test("comments on lines reach a worker, each with its line; buttons do what they say", async () => {
  const scene = await openPageScene();
  const { page, show, spawn, workspace, person } = scene;
  makeRepository(workspace);
  const worker = await spawn(WORKS, "--name", "builder", "--worktree", "--check", "grep -q three a.txt");
  const [opened] = await worker.until("its question", (found) => found.length > 0, "system.approval.opened");
  await show(`worker/${worker.id}/changes`);
  const file = (name: string) => page.locator("details.file", { hasText: name });
  await file("a.txt").getByRole("button", { name: "Comment on line 2" }).click();
  await page.getByLabel("Comment on this line").fill("why two?");
  await page.keyboard.press("Control+Enter");
  await file("b.txt").getByRole("button", { name: "Comment on line 1" }).click();
  await page.getByLabel("Comment on this line").fill("escape this");
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await page.getByRole("button", { name: "Send 2 comments" }).click();
  await page.locator(".changes .ladder .reached", { hasText: "accepted" }).waitFor();
  const quoted = "Comments on your changes:\n\nIn a.txt:2:\n> +two\nwhy two?\n\nIn b.txt:1:\n> +x = <b>\nescape this";
  await expect
    .poll(() =>
      topicsOf(scene, `.${worker.id}.inject_text`).map(({ payload }) => (payload as { data: Frame }).data["text"]),
    )
    .toEqual([quoted]);
  await clawJson(workspace, ["approve", String(opened?.["approvalId"])]);
  await page.locator(".changes .ladder .reached", { hasText: "applied" }).waitFor();
  await show(`worker/${worker.id}/transcript`);
  await sees(page, "You said: Comments on your changes:");
  await worker.until("its verdict", (found) => found.length > 0, "system.worker.verified");

  await show(`worker/${worker.id}/checks`);
  await page.locator(".check", { hasText: "grep -q three a.txt" }).getByText("failed 1").waitFor();
  await page.getByLabel("What to do better, or a note").fill("add three");
  await page.getByRole("button", { name: /^Send back/ }).click();
  await expect.poll(() => topicsOf(scene, "system.worker.rework").length).toBe(1);
  await worker.until("its second question", (found) => found.length > 1, "system.approval.opened");
  await show("needs");
  await page.getByRole("button", { name: /^Reject/ }).click();
  await worker.until("its second verdict", (found) => found.length > 1, "system.worker.verified");
  await page.getByRole("button", { name: /^Accept all the same/ }).click();
  await expect.poll(() => topicsOf(scene, "system.worker.accepted").length).toBe(1);
  expect(person.problems).toEqual([]);
});

test("a worker is paused, goes on, and is stopped, and each button tells how far it came", async () => {
  const scene = await openPageScene();
  const { page, show, spawn, person } = scene;
  const worker = await spawn({ steps: [{ type: "wait", ms: 600_000 }] }, "--name", "patient");
  await show(`worker/${worker.id}/about`);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".run-buttons .ladder .reached", { hasText: "applied" }).waitFor();
  await page.locator(".worker-head .pill", { hasText: "paused" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.getByRole("button", { name: "Abort" }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Abort" }).click();
  await page.getByRole("button", { name: "Yes, stop it" }).click();
  await page.locator(".worker-head .pill", { hasText: "aborted" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).waitFor({ state: "detached" });
  expect(person.problems).toEqual([]);
});

/** A worker of another program that asks, and asks something else in the same place. */
async function joinAsking({
  daemon,
  workspace,
}: PageScene): Promise<{ worker: WireClient; ask: (command: string) => Promise<void> }> {
  const worker = await connectWire(daemon.socket);
  const id = await worker.hello("worker", { peerName: "changeable" });
  const boot = { model: "none", role: "worker", mission_summary: "fix it", cwd: workspace.cwd, terminal_id: "" };
  expect(await worker.publish(`worker.${id}.boot`, boot)).toMatchObject({ ok: true });
  const ask = async (command: string): Promise<void> => {
    const question = {
      kind: "REQUEST",
      severity: "warn",
      message: `may I ${command}?`,
      request_id: "r1",
      data: { tool: "Bash", command },
    };
    expect(await worker.publish(`worker.${id}.event`, question)).toMatchObject({ ok: true });
  };
  return { worker, ask };
}

test("an answer to a question that has changed is refused, and the page says so", async () => {
  const scene = await openPageScene();
  const { page, show, person } = scene;
  const wire = await holdBack(page);
  const { ask } = await joinAsking(scene);
  await ask("ls");
  await show("needs");
  await sees(page, "may I ls?");
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  wire.hold();
  await ask("rm -rf /");
  await page.getByRole("button", { name: /^Approve/ }).click();
  wire.release();
  await expect
    .poll(() => page.locator("p.unseen[role=status]").textContent())
    .toMatch(/changed|something else|no longer|closed/i);
  await sees(page, "may I rm -rf /?");
  await sees(page, "The worker asks something else now");
  expect(topicsOf(scene, ".approve")).toEqual([]);
  expect(person.problems).toEqual([]);
});
