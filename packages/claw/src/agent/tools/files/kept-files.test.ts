import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { PermissionMode } from "claw-contract";
import type { RuleTexts } from "../../permissions/rules.ts";
import { openBench } from "../testing/tool-bench.ts";

const SECRET = "secret-that-a-rule-keeps";

function prepare(rules: RuleTexts, files: readonly string[], mode: PermissionMode = "workspace-write") {
  const bench = openBench(onTestFinished, { rules, mode, sandboxed: true });
  for (const name of files) {
    mkdirSync(dirname(join(bench.root, name)), { recursive: true });
    writeFileSync(join(bench.root, name), SECRET);
  }
  const run = async (command: string): Promise<{ stdout: string; stderr: string }> =>
    JSON.parse((await bench.run("bash", { command })).output) as { stdout: string; stderr: string };
  const text = (name: string): string => readFileSync(join(bench.root, name), "utf8");
  return { ...bench, runs: run, text };
}

test.each<[rule: string, file: string, mode: PermissionMode]>([
  ["read_file(*.pem)", "key.pem", "workspace-write"],
  ["read_file(*.pem)", "key.pem", "read-only"],
  ["read_file(**/.env)", "deep/er/.env", "workspace-write"],
  ["grep_search(**/.env.{local,production})", "app/.env.production", "workspace-write"],
  ["read_file(apps/*/secrets/**)", "apps/one/secrets/a/b", "workspace-write"],
  ["read_file(private:*)", "private-notes/a", "workspace-write"],
  ["read_file(**/*.pem)", ".hidden/node_modules/x/key.pem", "workspace-write"],
])("a command in the sandbox does not see what %s keeps: %s, %s", async (rule, file, mode) => {
  const { runs, text, root } = prepare({ deny: [rule] }, [file], mode);
  writeFileSync(join(root, "open.txt"), "open");
  const { stdout } = await runs(`find . -name open.txt -exec cat {} +; grep -rah ${SECRET} .; cat ${file}`);
  expect(stdout).toBe("open");
  await runs(
    `f=$(find . -name '${basename(file)}'); echo x > ${file}; echo x > $f; mv ${file} moved; rm -rf * .hidden`,
  );
  expect(text(file)).toBe(SECRET);
});

test("what a link with a name that a rule keeps leads to is not seen either", async () => {
  const { runs, root } = prepare({ deny: ["read_file(*.pem)"] }, ["store/abc"]);
  symlinkSync("store/abc", join(root, "key.pem"));
  expect((await runs("cat key.pem store/abc")).stdout).not.toContain(SECRET);
});

test("a command in the sandbox does not change what a rule against writing keeps, and reads it", async () => {
  const { runs, text } = prepare({ deny: ["edit_file(**/*.lock)"] }, ["app/yarn.lock", "app/other"]);
  const { stdout } = await runs(
    "cat app/yarn.lock; echo x > app/yarn.lock; echo x > app/other; rm -rf app/yarn.lock; mv app gone",
  );
  expect(stdout).toBe(SECRET);
  expect([text("app/yarn.lock"), text("app/other")]).toEqual([SECRET, "x\n"]);
});

test("files that come into being with a command are told", async () => {
  const { runs, root } = prepare({ deny: ["read_file(**/*.pem)"] }, ["a"]);
  const { stderr } = await runs("mkdir d; echo x > d/new.pem");
  expect(existsSync(join(root, "d/new.pem"))).toBe(true);
  expect(stderr).toBe(`[the command made files that the rules keep: ${join(root, "d/new.pem")}]`);
});
