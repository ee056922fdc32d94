import { createRedactor, MASK } from "claw-contract";
import { expect, test } from "vitest";
import type { PromptFacts } from "./system-prompt.ts";
import { buildSystemPrompt } from "./system-prompt.ts";

const FACTS: PromptFacts = {
  cwd: "/w",
  platform: "linux",
  date: "2026-01-31",
  mode: "workspace-write",
  sandboxed: true,
  instructions: [],
  skills: [],
  git: null,
  append: null,
};

const plain = { redactText: (text: string) => text };
const build = (more: Partial<PromptFacts> = {}) => buildSystemPrompt({ ...FACTS, ...more }, plain);

test("what changes from day to day is in the last part alone", () => {
  const git = { branch: "main", changes: [" M a.ts"], commits: ["abc1234 first"] };
  const [work, workspace, today] = build();
  const [sameWork, sameWorkspace, later] = build({ date: "2026-02-01", git });
  expect([sameWork, sameWorkspace]).toEqual([work, workspace]);
  expect(today).toBe("# Today\n- Date: 2026-01-31\n- The working folder is in no git repository.");
  expect(later).toBe(
    "# Today\n- Date: 2026-02-01\n- Git, when the session began:\nBranch: main\nChanges: \n M a.ts\nLast commits: \nabc1234 first",
  );
});

test("how to work is the same in every workspace", () => {
  const elsewhere = build({ cwd: "/other", mode: "read-only", sandboxed: false, append: "Speak Latin." });
  expect(elsewhere[0]).toBe(build()[0]);
});

test("the workspace has the mode, the sandbox, skills, instructions in order and what the user adds", () => {
  const [, workspace] = build({
    skills: [{ name: "release", description: "How to release." }],
    instructions: [
      { path: "/w/AGENTS.md", text: "Use tabs." },
      { path: "/w/a/CLAUDE.md", text: "Use spaces here." },
    ],
    append: " Speak Latin. \n",
  });
  expect(workspace).toBe(`# Where you are
- Working folder: /w
- System: linux
- Permission mode: workspace-write. You may change files in the workspace; what reaches beyond it is asked about or refused.
- Shell commands run in a sandbox: no network, and writes in the workspace only.

# Skills
Instructions for particular work. Before such work, get them with the tool skill.
- release: How to release.

# Instructions
Written down by the user and the project. Where they differ, later ones count more, and the user's own words most.

## /w/AGENTS.md
Use tabs.

## /w/a/CLAUDE.md
Use spaces here.

Speak Latin.`);
});

test("no secret is in it, wherever it came from", () => {
  const secret = "very-secret-value-1";
  const parts = buildSystemPrompt(
    {
      ...FACTS,
      cwd: `/w/${secret}`,
      append: secret,
      instructions: [{ path: "/w/AGENTS.md", text: `the key is ${secret}` }],
      skills: [{ name: "s", description: secret }],
      git: { branch: secret, changes: [`?? ${secret}`], commits: [secret] },
    },
    createRedactor({ secrets: [secret] }),
  );
  expect(parts.join("\n")).not.toContain(secret);
  expect(parts[2]).toContain(MASK);
});
