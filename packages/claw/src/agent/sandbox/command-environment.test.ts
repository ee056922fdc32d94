import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { commandEnvironment } from "./command-environment.ts";

const workspace = { root: "/nowhere/work", extraFolders: ["/nowhere/more"] };

test.each(["listed", "confined", "free"] as const)(
  "nothing secret and nothing that loads is handed on: %s",
  (manner) => {
    const env = {
      ANTHROPIC_API_KEY: "1",
      GITHUB_TOKEN: "1",
      DATABASE_URL: "1",
      BASH_ENV: "1",
      "BASH_FUNC_x%%": "1",
      LD_PRELOAD: "1",
      NODE_OPTIONS: "1",
      NODE_EXTRA_CA_CERTS: "1",
      GIT_EXTERNAL_DIFF: "1",
      GIT_SSH_COMMAND: "1",
      GIT_DIR: "1",
      PYTHONSTARTUP: "1",
      PERL5OPT: "1",
      RUBYOPT: "1",
      PROMPT_COMMAND: "1",
      SHELLOPTS: "1",
      IFS: "1",
      LANG: "C",
    };
    const { LANG, ...given } = env;
    const made = commandEnvironment({ env, workspace, manner });
    expect(made["LANG"]).toBe(LANG);
    expect(made).toMatchObject({ PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" });
    expect(Object.keys(given).filter((name) => made[name] !== undefined)).toEqual([]);
  },
);

test("programs are looked for neither in relative folders nor, without the sandbox, in the workspace", () => {
  const folder = temporaryFolder(onTestFinished);
  const own = { root: join(folder, "work"), extraFolders: [] };
  mkdirSync(join(own.root, "bin"), { recursive: true });
  symlinkSync(join(own.root, "bin"), join(folder, "link"));
  const env = { PATH: `.::bin:${own.root}/bin:${folder}/link:${own.root}/../work:/usr/bin` };
  expect(commandEnvironment({ env, workspace: own, manner: "listed" })["PATH"]).toBe("/usr/bin");
  expect(commandEnvironment({ env: { PATH: "." }, workspace: own, manner: "free" })["PATH"]).toBe(
    "/usr/local/bin:/usr/bin:/bin",
  );
});

test("only what runs unasked without a sandbox gets settings of git in place of the repository's", () => {
  const count = (manner: "listed" | "confined" | "free"): string | undefined =>
    commandEnvironment({ env: {}, workspace, manner })["GIT_CONFIG_COUNT"];
  expect([count("listed"), count("confined"), count("free")]).toEqual(["5", undefined, undefined]);
});
