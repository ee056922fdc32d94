import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "./project.ts";

const TOTAL = `const add = (sum, price) => sum + Math.floor(price);
export const total = (prices) => prices.reduce(add, 0);
`;
const TEST = `import assert from "node:assert/strict";
import { total } from "./total.js";

assert.equal(total([10.5]), 11);
`;

/** What a model without a key says: it reads, mends, tries and commits. */
const SCRIPT = {
  turns: [
    { blocks: [{ type: "tool", name: "read_file", input: { path: "total.js" } }] },
    {
      blocks: [
        {
          type: "tool",
          name: "edit_file",
          input: { path: "total.js", old_string: "Math.floor", new_string: "Math.round" },
        },
      ],
    },
    {
      blocks: [
        { type: "tool", name: "bash", input: { command: "node test.js && git commit -qam 'Round half a cent up'" } },
      ],
    },
    { blocks: [{ type: "text", text: "total() rounds half a cent up now." }] },
  ],
};

test("a newcomer gets from nothing to a merged change of a first worker, without a key", async () => {
  const { workspace, shell } = await openProject({
    "package.json": '{ "type": "module" }\n',
    "total.js": TOTAL,
    "test.js": TEST,
    "model.json": JSON.stringify(SCRIPT),
  });
  const first = await shell.run("claw");
  for (const way of ["ANTHROPIC_API_KEY", "--model scripted", "claw demo", "claw doctor"]) {
    expect(first.output).toContain(way);
  }
  expect((await shell.run("claw up")).exitCode).toBe(0);
  const spawned = await shell.run(
    "claw spawn --harness claw --model scripted:model.json --worktree --name total --check 'node test.js' --wait complete 'Round half a cent up'",
  );
  expect(spawned).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/claw\/total[\s\S]*claw merge total/) as string,
  });
  expect((await shell.run("claw logs total")).output).toMatch(
    /edit_file[\s\S]*git commit[\s\S]*total\(\) rounds half a cent up now\./,
  );
  expect((await shell.run("claw diff total")).output).toMatch(/-.*Math\.floor[\s\S]*\+.*Math\.round/);
  expect(readFileSync(join(workspace.cwd, "total.js"), "utf8")).toBe(TOTAL);
  expect((await shell.run("claw merge total")).exitCode).toBe(0);
  expect((await shell.run("node test.js && git log --oneline")).output).toContain("Round half a cent up");
  expect(await shell.run("git status --short")).toEqual({ output: "", exitCode: 0 });
  expect((await shell.run("claw prune --yes")).exitCode).toBe(0);
  expect((await shell.run("claw ps --all")).output).not.toContain("finished");
  expect((await shell.run("git worktree list")).output.split("\n")).toHaveLength(1);
  expect((await shell.run("git branch --list 'claw/*'")).output).toBe("");
  expect((await shell.run("claw down")).exitCode).toBe(0);
  expect(shell.brokenWords()).toEqual([]);
});
