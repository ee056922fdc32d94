import { expect, test } from "vitest";
import type { FakeScenarioText } from "claw-contract/schemas";
import { openShell } from "../shell-session.ts";
import { bash, commit, openProject, say } from "./project.ts";

/** Five workers: one is perfect, and each of the others needs its person in another way. */
const CAST: Readonly<Record<string, FakeScenarioText>> = {
  perfect: { steps: [commit("perfect.txt", "perfect"), say("Written and committed.")] },
  crashes: {
    steps: [commit("crashes.txt", "half"), { type: "crash" }],
    resumed: [commit("crashes.txt", "whole"), say("Finished after the crash.")],
  },
  asks: {
    steps: [
      {
        type: "permission",
        tool: "Bash",
        input: { command: "rm old.txt" },
        reason: "rm needs permission",
        runs: "git rm -q old.txt && git commit -qm 'Remove old.txt' && echo removed",
        allowed: [say("Removed.")],
        denied: [say("Left alone.")],
      },
    ],
  },
  wrong: {
    steps: [commit("wrong.txt", "wrong"), say("Done, I think.")],
    later: [[commit("wrong.txt", "right"), say("Now it is right.")]],
    resumed: [commit("wrong.txt", "right"), say("Now it is right.")],
  },
  dear: {
    usage: { input_tokens: 20_000, output_tokens: 2000, cost_usd: 2 },
    steps: [{ type: "repeat", times: 100, steps: [bash("echo dear >> dear.txt"), { type: "wait", ms: 300 }] }],
  },
};

const FLEET = `name: release
concurrency: 5
defaults: { harness: fake, worktree: true, on_crash: alert }
workers:
  - { name: perfect, mission: m, scenario: perfect.json, checks: ["test -s perfect.txt"] }
  - { name: crashes, mission: m, scenario: crashes.json, checks: ["grep whole crashes.txt"] }
  - { name: asks, mission: m, scenario: asks.json }
  - { name: wrong, mission: m, scenario: wrong.json, checks: ["grep right wrong.txt"] }
  - { name: dear, mission: m, scenario: dear.json, budget: { usd: 1 } }
`;

test("a person gets a fleet of five merged or cleared away, one of which is perfect", async () => {
  const scenarios = Object.entries(CAST).map(([name, scenario]) => [`${name}.json`, JSON.stringify(scenario)]);
  const { workspace, shell } = await openProject({
    ...(Object.fromEntries(scenarios) as Record<string, string>),
    "fleet.yaml": FLEET,
    "old.txt": "old\n",
  });
  await shell.run("claw up");

  // One window follows the fleet, in another its question is answered.
  const window = openShell(workspace);
  const fleet = window.run("claw fleet fleet.yaml --keep-going");
  expect((await shell.run("claw wait --since 0000:0 --topic system.approval.opened > /dev/null")).exitCode).toBe(0);
  expect((await shell.run("claw approve asks")).output).toContain("rm old.txt");
  const { output, exitCode } = await fleet;
  expect([exitCode, output]).toEqual([1, expect.stringContaining("3 workers failed: crashes, wrong, dear")]);
  const listed = (await shell.run("claw ps --all")).output;
  for (const line of [
    /dear +aborted .*budget/,
    /wrong +finished .*failed checks/,
    /crashes +failed .*its process ended/,
    /perfect +finished .*verified/,
    /asks +finished/,
  ]) {
    expect(listed).toMatch(line);
  }

  // The one that crashed is started again, the one that was wrong is sent back.
  expect((await shell.run("claw logs crashes")).output).toMatch(/crashed: .*SIGKILL/);
  expect((await shell.run("claw restart crashes")).output).toContain("life 2");
  expect((await shell.run("claw rework wrong 'The check wants: right'")).exitCode).toBe(0);
  expect((await shell.run("claw wait crashes wrong --for verified")).exitCode).toBe(0);

  // The one without money cannot be spoken to, and its work stays until it is thrown away.
  expect((await shell.run("claw send dear 'go on'")).output).toContain("error[worker_ended]");
  expect((await shell.run("claw rm dear")).output).toContain("error[worktree_holds_work]");
  await shell.run("git worktree remove --force .claws/worktrees/dear");
  expect((await shell.run("claw rm dear")).exitCode).toBe(0);

  for (const name of ["perfect", "crashes"]) expect((await shell.run(`claw merge ${name}`)).exitCode).toBe(0);
  expect((await shell.run("claw accept wrong --merge")).output).toMatch(/Merged into main as .*\ngo back +git reset/);
  expect((await shell.run("claw merge asks --strategy squash")).exitCode).toBe(0);
  // All of it is on main, though by another commit.
  expect((await shell.run("claw accept asks")).output).not.toContain("not merged");
  expect((await shell.run("cat perfect.txt crashes.txt wrong.txt; ls old.txt")).output).toMatch(
    /^perfect\nwhole\nright\n.*No such file/,
  );
  expect(await shell.run("git status --short")).toEqual({ output: "", exitCode: 0 });
  expect((await shell.run("claw prune --yes")).exitCode).toBe(0);
  expect((await shell.run("claw ps --all")).output).not.toMatch(/finished|failed|aborted/);
  expect((await shell.run("git worktree list")).output.split("\n")).toHaveLength(1);
  expect((await shell.run("claw down")).exitCode).toBe(0);
  expect(shell.brokenWords()).toEqual([]);
});
