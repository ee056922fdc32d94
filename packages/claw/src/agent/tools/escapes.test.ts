import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Cage } from "../sandbox/testing/workspace-with-canary.ts";
import { CANARY } from "../sandbox/testing/workspace-with-canary.ts";
import { createGlobSearch } from "./search/glob-search.ts";
import { createGrepSearch } from "./search/grep-search.ts";
import type { Bench, BenchOptions } from "./testing/tool-bench.ts";
import { openBench } from "./testing/tool-bench.ts";
import type { Tool } from "./tool.ts";

const git = (cwd: string, ...args: string[]): void => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  expect(spawnSync("git", args, { cwd, env }).status).toBe(0);
};

/** Ways to read the file beside the workspace, or to write there, with a shell. */
const SHELL: readonly (readonly [name: string, command: (bench: Bench) => string])[] = [
  ["a path from below", () => "cat ../outside/canary"],
  ["an absolute path", ({ canary }) => `cat ${canary}`],
  ["a quoted path", ({ canary }) => `cat "${canary}"`],
  ["a link to the file", () => "cat file-link"],
  ["a link to the folder", () => "cat folder-link/canary"],
  ["a folder above a link", () => "cat folder-link/../outside/canary"],
  ["cd", () => "cd .. && cat outside/canary"],
  ["cd through a link", () => "cd folder-link && cat canary"],
  ["cd that the rest does not depend on", () => "cd folder-link; cat canary"],
  ["cd in a pipe", () => "cd folder-link | cat canary"],
  ["cd back", () => "cd sub && cd .. && cd .. && cat outside/canary"],
  ["a substitution", ({ canary }) => `echo $(cat ${canary})`],
  ["backticks", ({ canary }) => `echo \`cat ${canary}\``],
  ["a process substitution", ({ canary }) => `cat <(cat ${canary})`],
  ["a redirection", ({ canary }) => `cat < ${canary}`],
  ["a here-document", ({ canary }) => `cat <<EOF\n$(cat ${canary})\nEOF`],
  ["a here-string", ({ canary }) => `cat <<< "$(<${canary})"`],
  ["a pattern", () => "cat ../outside/can*"],
  ["braces", () => "cat ../outside/{canary,x}"],
  ["a variable", ({ canary }) => `X=${canary}; cat $X`],
  ["an assignment before a command", ({ root }) => `PATH=${root}/bin ls`],
  ["an environment of its own", ({ root }) => `env BASH_ENV=${root}/evil.sh bash -c true`],
  ["a line's end", ({ canary }) => `ls\ncat ${canary}`],
  ["a line's end of others", ({ canary }) => `ls\rcat ${canary}`],
  ["a subshell", () => "(cd ..; cat outside/canary)"],
  ["a function", ({ canary }) => `ls() { cat ${canary}; }; ls`],
  ["an alias of a letter", ({ canary }) => `cat\u00a0${canary}`],
  ["find -exec", ({ outside }) => `find ${outside} -exec cat '{}' ';'`],
  ["find in the workspace that starts something", ({ canary }) => `find . -name sub -exec cat ${canary} ';'`],
  ["find that follows links", () => "find -L . -type f -newer file-link"],
  ["grep that follows links", () => "grep -R canary ."],
  ["a file of patterns", ({ canary }) => `grep -f ${canary} sub`],
  ["ripgrep's preprocessor", () => "rg --pre cat canary folder-link"],
  ["names from a file", ({ canary }) => `wc --files0-from=${canary}`],
  ["sort into a file", ({ outside }) => `sort -o ${outside}/planted sub/a`],
  ["uniq into a file", ({ outside }) => `uniq sub/a ${outside}/planted`],
  ["git diff of files outside", ({ canary }) => `git diff --no-index /dev/null ${canary}`],
  ["git in another folder", ({ outside }) => `git -C ${outside} status`],
  ["git's output in a file", ({ outside }) => `git diff --output=${outside}/planted`],
  ["git's settings", ({ canary }) => `git -c core.pager='cat ${canary}' log`],
  ["tee", ({ outside }) => `echo x | tee ${outside}/planted`],
  ["touch", ({ outside }) => `touch ${outside}/planted`],
  ["touch through a link", () => "touch folder-link/planted"],
  ["cp through a link", () => "cp sub/a folder-link/planted"],
  ["cp onto a link", () => "cp sub/a file-link"],
  ["cp into a folder with a link of that name", () => "cp sub/canary inner"],
  ["cp -r over links", () => "cp -r sub/inner ."],
  ["cp -rT over links", () => "cp -rT sub/inner inner"],
  ["cp to above a link", () => "cp sub/a folder-link/../outside"],
  ["a link that is moved and read", () => "mv sub/turning turned && cat turned"],
  ["a link that is moved and read in any case", () => "mv sub/turning turned; cat turned"],
  ["a link that is moved and read on a line of its own", () => "mv sub/turning turned\ncat turned"],
  ["a link that is moved and read at once", () => "mv sub/turning turned | cat turned"],
  ["a link that is read while it is moved", () => "cat turned | mv sub/turning turned"],
  ["a link that is copied and read", () => "cp -a sub/turning turned && cat turned"],
  ["a folder with a link that is moved and read", () => "mv sub/trap trap && cat trap/turning"],
  [
    "a folder with a link that is copied and searched",
    () => "cp -r sub/trap trap || true; grep -h canary trap/turning",
  ],
  ["a move behind another in one command", () => "mv sub/trap trap/out/canary ."],
  ["a copy behind another in one command", () => "cp -r sub/trap trap/out/canary . && cat canary"],
  ["ripgrep that follows links", () => "rg -L canary"],
  ["a value of git that is a file", () => "git diff -M ../outside/canary sub/a"],
  ["a long value of git that is a file", () => "git diff --unified ../outside/canary sub/a"],
  ["cp from outside", ({ canary }) => `cp ${canary} sub/stolen && cat sub/stolen`],
  ["mv", ({ canary }) => `mv ${canary} sub/stolen`],
  ["rm", ({ canary }) => `rm -rf ${canary}`],
  ["rm through a link", () => "rm folder-link/canary"],
  ["mkdir", ({ outside }) => `mkdir ${outside}/planted`],
  ["a hard link", ({ canary }) => `ln ${canary} sub/hard`],
  ["another interpreter", ({ canary }) => `python3 -c 'print(open("${canary}").read())'`],
  ["an evaluated subscript", ({ canary }) => `test -v 'a[$(cat ${canary} >&2)]'`],
  ["printf into an evaluated name", ({ canary }) => `printf -v 'a[$(cat ${canary} >&2)]' x`],
  ["a background", ({ canary }) => `cat ${canary} &`],
  ["a history reference", () => "cat !$"],
];

/** A workspace full of traps. */
function prepare(options: BenchOptions): Bench {
  const bench = openBench(onTestFinished, options);
  const { root, outside, canary } = bench;
  for (const folder of ["sub/inner", "sub/trap", "inner", "bin", "outside"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, "sub", "a"), "a\n");
  writeFileSync(join(root, "sub", "canary"), "overwritten");
  writeFileSync(join(root, "sub", "inner", "canary"), "overwritten");
  writeFileSync(join(root, "evil.sh"), `cat ${canary}`);
  writeFileSync(join(root, "bin", "ls"), `#!/bin/sh\ncat ${canary}; touch ${outside}/planted`);
  chmodSync(join(root, "bin", "ls"), 0o755);
  symlinkSync(canary, join(root, "file-link"));
  symlinkSync(outside, join(root, "folder-link"));
  symlinkSync(canary, join(root, "inner", "canary"));
  symlinkSync(outside, join(root, "sub", "trap", "out"));
  // They lead into the workspace, and out of it as soon as they are moved up.
  symlinkSync("../outside/canary", join(root, "sub", "turning"));
  symlinkSync("../../outside/canary", join(root, "sub", "trap", "turning"));
  git(root, "init", "-q");
  return bench;
}

async function tryCommand(bench: Bench, command: string): Promise<void> {
  const result = await bench.call("bash", { command, timeout: 100_000 });
  expect(JSON.stringify(result)).not.toContain(CANARY);
  expect(bench.unharmed()).toBe(true);
}

describe("in the sandbox a command does not get out by", () => {
  test.each(SHELL)("%s", async (_, command) => {
    const bench = prepare({ sandboxed: true });
    expect(bench.judge("bash", { command: command(bench) }).decision).toBe("allow");
    await tryCommand(bench, command(bench));
  });
});

describe("without the sandbox nothing runs unasked that would get out by", () => {
  test.each(SHELL)("%s", async (_, command) => {
    for (const mode of ["workspace-write", "read-only"] as const) {
      const bench = prepare({ mode });
      expect(bench.judge("bash", { command: command(bench) }).decision).toBe("ask");
      await tryCommand(bench, command(bench));
    }
  });
});

describe.each([true, false])("what was in the environment does not get out (sandbox: %s)", (sandboxed) => {
  test.each([
    ["BASH_ENV", ({ root }: Cage) => ({ BASH_ENV: join(root, "evil.sh") })],
    ["ENV", ({ root }: Cage) => ({ ENV: join(root, "evil.sh") })],
    ["a function", ({ canary }: Cage) => ({ "BASH_FUNC_ls%%": `() { cat ${canary}; }` })],
    ["a program in the path", ({ root }: Cage) => ({ PATH: `${root}/bin:.:bin::${process.env["PATH"]}` })],
    ["a library", ({ root }: Cage) => ({ LD_PRELOAD: join(root, "evil.so"), LD_LIBRARY_PATH: root })],
    ["options of the shell", ({ canary }: Cage) => ({ SHELLOPTS: "xtrace", PS4: `$(cat ${canary})` })],
    [
      "git's external diff",
      ({ root }: Cage) => ({ GIT_EXTERNAL_DIFF: join(root, "bin", "ls"), GIT_PAGER: join(root, "bin", "ls") }),
    ],
  ])("%s", async (_, extra) => {
    const bench = prepare({ sandboxed, environment: extra });
    const { root } = bench;
    writeFileSync(join(root, "a"), "a");
    git(root, "add", "a");
    writeFileSync(join(root, "a"), "b");
    const result = await bench.call("bash", { command: "ls; git diff" });
    expect(result).toMatchObject({ isError: false, output: expect.stringContaining("+b") });
    expect(JSON.stringify(result)).not.toContain(CANARY);
    expect(bench.unharmed()).toBe(true);
  });

  test("secrets of the environment are not handed on", async () => {
    const environment = () => ({ ANTHROPIC_API_KEY: "sk-hidden", MY_TOKEN: "hidden-too", PLAIN: "shown" });
    const bench = openBench(onTestFinished, { sandboxed, environment });
    const { output } = await bench.run("bash", { command: "env" });
    expect(output).toContain("PLAIN=shown");
    expect(output).not.toMatch(/hidden/);
  });
});

describe("files", () => {
  const PATHS: readonly (readonly [name: string, path: (bench: Bench) => string])[] = [
    ["a path from below", () => "../outside/canary"],
    ["an absolute path", ({ canary }) => canary],
    ["a link to the file", () => "file-link"],
    ["a link to the folder", () => "folder-link/canary"],
    ["the process's own root", ({ canary }) => `/proc/self/root${canary}`],
    ["a way there and back", ({ canary }) => `sub/../..${canary.slice(canary.lastIndexOf("/outside"))}`],
  ];

  test.each(PATHS)("outside are neither read nor written by %s", async (_, path) => {
    const bench = prepare({});
    for (const [tool, input] of [
      ["read_file", {}],
      ["write_file", { content: "x" }],
      ["edit_file", { old_string: "canary", new_string: "x" }],
      ["grep_search", { pattern: "canary", output_mode: "content" }],
      ["glob_search", { pattern: "*" }],
    ] as const) {
      const result = await bench.call(tool, { path: path(bench), ...input });
      expect(result).toMatchObject({ decision: "ask" });
    }
    expect(bench.unharmed()).toBe(true);
  });

  test("are not found through links in the workspace", async () => {
    const bench = prepare({});
    const found = await bench.call("grep_search", { pattern: "canary-that", output_mode: "content" });
    const named = await bench.call("glob_search", { pattern: "**/canary" });
    expect(JSON.stringify([found, named])).not.toMatch(/canary-that|folder-link/);
  });

  test.each([
    ".git/hooks/pre-commit",
    ".git/config",
    ".claw/settings.json",
    ".claw.json",
    "sub/.git/config",
    ".GIT/hooks/x",
  ])("that decide over the agent are asked for: %s", async (path) => {
    const bench = prepare({});
    expect(await bench.call("write_file", { path, content: "x" })).toMatchObject({ decision: "ask" });
    expect(bench.judge("bash", { command: `touch ${path}` }).decision).toBe("ask");
    expect(existsSync(join(bench.root, path))).toBe(path === ".git/config");
  });

  test("that decide over the agent stay as they are whatever a command in the sandbox does", async () => {
    const bench = prepare({ sandboxed: true });
    const before = readFileSync(join(bench.root, ".git", "config"), "utf8");
    const { output } = await bench.run("bash", {
      command:
        "echo x > .git/hooks/pre-commit; echo x > .git/config; mkdir -p .claw; echo x > .claw/settings.json; echo x > .claw.json",
    });
    expect(output).toContain("was moved to");
    expect(readFileSync(join(bench.root, ".git", "config"), "utf8")).toBe(before);
    for (const name of [".git/hooks/pre-commit", ".claw/settings.json", ".claw.json"]) {
      expect(existsSync(join(bench.root, name))).toBe(false);
    }
  });

  /** Judges a call, changes the disk, and runs the call then. */
  async function swap(bench: Bench, name: string, input: Record<string, unknown>, change: () => void): Promise<string> {
    const tool = bench.tools.find((one) => one.name === name) as unknown as Tool<unknown>;
    expect(tool.need(input)).toMatchObject({ paths: [join(bench.root, String(input["path"]))] });
    change();
    const { output, isError } = await tool.run(
      input,
      { id: "", progress: () => undefined },
      new AbortController().signal,
    );
    expect(isError).toBe(true);
    return output;
  }

  test.each([
    ["read_file", { path: "sub/canary" }],
    ["write_file", { path: "sub/canary", content: "x" }],
    ["write_file", { path: "sub/planted", content: "x" }],
    ["edit_file", { path: "sub/canary", old_string: "canary", new_string: "x" }],
    ["grep_search", { path: "sub/canary", pattern: "canary", output_mode: "content" }],
    ["grep_search", { path: "sub/inner/canary", pattern: "canary", output_mode: "count" }],
    ["grep_search", { path: "sub", pattern: "canary", output_mode: "content" }],
  ])("are not opened through a folder that became a link after judging: %s %o", async (name, input) => {
    const bench = prepare({});
    const output = await swap(bench, name, input, () => {
      renameSync(join(bench.root, "sub"), join(bench.root, "moved"));
      symlinkSync(bench.outside, join(bench.root, "sub"));
    });
    expect(output).not.toContain(CANARY);
    expect(bench.unharmed()).toBe(true);
  });

  test.each([
    ["read_file", { path: "sub/a" }],
    ["write_file", { path: "sub/a", content: "x" }],
    ["edit_file", { path: "sub/a", old_string: "canary", new_string: "x" }],
    ["grep_search", { path: "sub/a", pattern: "canary", output_mode: "content" }],
  ])("are not opened when they became a link after judging: %s", async (name, input) => {
    const bench = prepare({});
    const output = await swap(bench, name, input, () => {
      rmSync(join(bench.root, "sub", "a"));
      symlinkSync(bench.canary, join(bench.root, "sub", "a"));
    });
    expect(output).not.toContain(CANARY);
    expect(bench.unharmed()).toBe(true);
  });

  test.each([
    ["content", createGrepSearch, { pattern: "canary", output_mode: "content" }],
    ["names", createGrepSearch, { pattern: "canary-that" }],
    ["counts", createGrepSearch, { pattern: "canary", output_mode: "count" }],
    ["paths", createGlobSearch, { pattern: "**/canary" }],
  ] as const)("are not found through a folder that becomes a link during a search: %s", async (_, create, input) => {
    const bench = openBench(onTestFinished, {});
    mkdirSync(join(bench.root, "sub"));
    writeFileSync(join(bench.root, "sub", "canary"), "canary-that is another");
    let isSwapped = false;
    // Asked for each file that the walk finds, before the file is opened.
    const isHidden = (): boolean => {
      if (!isSwapped) renameSync(join(bench.root, "sub"), join(bench.outside, "moved"));
      if (!isSwapped) symlinkSync(bench.outside, join(bench.root, "sub"));
      isSwapped = true;
      return false;
    };
    const tool = create({ ...bench.deps, isHidden }) as unknown as Tool<unknown>;
    const call = { id: "", progress: () => undefined };
    const found = await tool.run(input, call, new AbortController().signal);
    expect([isSwapped, found.isError, JSON.parse(found.output)]).toMatchObject([true, false, { numFiles: 0 }]);
    expect(found.output).not.toContain("canary-that");
  });

  test("that nobody judged are only opened where that needs no asking", async () => {
    const bench = prepare({});
    const tool = bench.tools.find(({ name }) => name === "read_file") as unknown as Tool<unknown>;
    const run = (path: string): Promise<{ isError: boolean }> =>
      tool.run({ path }, { id: "", progress: () => undefined }, new AbortController().signal);
    expect([(await run("sub/a")).isError, (await run(bench.canary)).isError]).toEqual([false, true]);
  });
});

describe.each([true, false])("what rules keep from being read (sandbox: %s)", (sandboxed) => {
  test.each([
    "cat keep/secret",
    "cat .env",
    "grep -r canary .",
    "cat keep/../.env",
    "rg canary",
    "head -n1 keep/secret",
  ])("is not read by a command: %s", async (command) => {
    const bench = openBench(onTestFinished, { sandboxed, rules: { deny: ["Read(keep/**)", "read_file(.env)"] } });
    mkdirSync(join(bench.root, "keep"));
    for (const name of ["keep/secret", ".env"]) writeFileSync(join(bench.root, name), CANARY);
    expect(JSON.stringify(await bench.call("bash", { command }))).not.toContain(CANARY);
    expect(readFileSync(join(bench.root, ".env"), "utf8")).toBe(CANARY);
  });
});
