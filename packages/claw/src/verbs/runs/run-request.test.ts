import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerbInput } from "claw-contract";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { HARNESSES } from "../../harness/index.ts";
import type { StandardInput } from "../runtime/handle.ts";
import { chooseHarness, readPrompt, readRunRequest, readVariables } from "./run-request.ts";
import { createTestPorts, textInput } from "../testing/test-ports.ts";

const INPUT: VerbInput<"run"> = {
  harness: "auto",
  idleTimeoutSeconds: 600,
  noApiKey: false,
  syncTasks: false,
  noHangHeuristic: false,
  onPermission: "deny",
  permissionTimeoutSeconds: 60,
  includeEvents: false,
  yes: false,
  dryRun: false,
};

describe("what the agent may do", () => {
  const modeOf = async (given: Partial<VerbInput<"run">>) =>
    (await readRunRequest({ ...INPUT, prompt: "do it", ...given }, HARNESSES.codex, createTestPorts("/")))
      .permissionMode;

  test("is to write to the workspace, unless the caller says otherwise", async () => {
    expect([await modeOf({}), await modeOf({ permissionMode: "read-only" })]).toEqual(["workspace-write", "read-only"]);
  });

  test("is left to be asked about where somebody answers, unless the caller says otherwise", async () => {
    const asked = { onPermission: "command" } as const;
    const modes = [await modeOf(asked), await modeOf({ ...asked, permissionMode: "workspace-write" })];
    expect(modes).toEqual([undefined, "workspace-write"]);
  });
});

const promptOf = (given: Partial<VerbInput<"run">>, stdin: StandardInput): Promise<string> =>
  readPrompt({ ...INPUT, ...given }, createTestPorts("/", { stdin }));

describe("a prompt", () => {
  test.each([
    ["of the line", { prompt: "do it" }, textInput("not me"), "do it"],
    ["of standard input", {}, textInput("from there\n"), "from there\n"],
    ["of standard input, asked for", { prompt: "-" }, textInput("from there"), "from there"],
    ["of a skill may be missing", { skill: "demo" }, textInput("not me"), ""],
    ["of a skill may be empty", { skill: "demo", prompt: "" }, textInput(), ""],
  ])("%s", async (_name, given, stdin, prompt) => {
    expect(await promptOf(given, stdin)).toBe(prompt);
  });

  test.each([
    ["nobody gave", {}, textInput(), "PROMPT is missing"],
    ["is empty", { prompt: " \n" }, textInput("x"), "the prompt is empty"],
    ["is empty on standard input", {}, textInput(""), "the prompt is empty"],
  ])("that %s is refused", async (_name, given, stdin, message) => {
    await expect(promptOf(given, stdin)).rejects.toMatchObject({ code: "MISSING_PROMPT", message });
  });

  test("that never ends is refused once it is too long", async () => {
    const endless: StandardInput = {
      isTerminal: () => false,
      isPiped: () => true,
      chunks: async function* () {
        for (;;) yield Buffer.alloc(LIMITS.runPromptBytes / 4);
      },
    };
    await expect(promptOf({}, endless)).rejects.toMatchObject({ code: "REQUEST_TOO_LARGE" });
  });

  test("that does not come is not waited for beyond the call", async () => {
    const silent: StandardInput = {
      isTerminal: () => false,
      isPiped: () => true,
      chunks: async function* () {
        yield await new Promise<Uint8Array>(() => undefined);
      },
    };
    const caller = new AbortController();
    const reading = readPrompt(INPUT, createTestPorts("/", { stdin: silent, signal: caller.signal }));
    caller.abort(new Error("too late"));
    await expect(reading).rejects.toThrow("too late");
  });
});

test("variables are taken to the letter, and handed on by their name", () => {
  const env = { OWN: "mine", GONE: undefined };
  expect(readVariables(["A=1", "B=", "C=x=y,z\nw", "OWN", "GONE", "A=2"], env)).toEqual({
    A: "2",
    B: "",
    C: "x=y,z\nw",
    OWN: "mine",
  });
  for (const wrong of ["", "=x", "a\0b=1"]) expect(() => readVariables([wrong], env)).toThrow("--env needs a name");
});

describe("the agent", () => {
  function installed(...names: readonly string[]): NodeJS.ProcessEnv {
    const bin = join(temporaryFolder(onTestFinished), "bin");
    mkdirSync(bin);
    for (const name of names) writeFileSync(join(bin, name), "", { mode: 0o755 });
    return { PATH: bin };
  }

  test("is the one asked for, also when it is not there", () => {
    expect(chooseHarness("codex", {}, "/")).toBe("codex");
  });

  test("is Claude Code before Codex when nobody asks", () => {
    expect(chooseHarness("auto", installed("claude", "codex"), "/")).toBe("claude-code");
    expect(chooseHarness("auto", installed("codex"), "/")).toBe("codex");
  });

  test("is our own where no other is installed", () => {
    expect(chooseHarness("auto", installed(), "/")).toBe("claw");
  });
});

describe("a request", () => {
  test("is what the flags say", async () => {
    const ports = createTestPorts("/work", { env: { HOME: "/home/me", ANTHROPIC_API_KEY: "k" } });
    const input = { ...INPUT, prompt: "hi", model: "m", skill: "demo", env: ["A=1"], noApiKey: true };
    expect(await readRunRequest(input, HARNESSES["claude-code"], ports)).toEqual({
      prompt: "hi",
      skill: "demo",
      model: "m",
      cwd: "/work",
      env: { HOME: "/home/me", A: "1" },
      loggedIn: false,
      program: null,
      permissionMode: "workspace-write",
    });
  });

  test("to Codex names the skill in the prompt, and knows of an earlier login", async () => {
    const home = temporaryFolder(onTestFinished);
    writeFileSync(join(home, "auth.json"), "{}");
    const ports = createTestPorts("/work", { env: { CODEX_HOME: home } });
    const input = { ...INPUT, skill: "demo" };
    expect(await readRunRequest({ ...input, prompt: "go" }, HARNESSES.codex, ports)).toMatchObject({
      prompt: "$demo go",
      skill: null,
      loggedIn: true,
    });
    expect((await readRunRequest(input, HARNESSES.codex, ports)).prompt).toBe("$demo");
  });

  test("to the fake agent starts this program", async () => {
    const ports = createTestPorts("/work", { program: ["node", "claw.cjs"] });
    const request = await readRunRequest({ ...INPUT, prompt: "hi", scenario: "tools" }, HARNESSES.fake, ports);
    expect(request.program).toEqual(["node", "claw.cjs", "fake-agent", "claude", "--scenario", "tools"]);
  });

  test("for what cannot be a model is refused", async () => {
    const input = { ...INPUT, prompt: "hi", model: "two words" };
    await expect(readRunRequest(input, HARNESSES.codex, createTestPorts("/"))).rejects.toMatchObject({
      code: "INVALID_MODEL",
    });
  });
});
