import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findCredentials, inspectAgents } from "./inspect-agents.ts";
import type { AgentReport } from "./inspect-agents.ts";

const patient = new AbortController().signal;

/** A folder with programs of those names, each a shell script. */
function programs(scripts: Readonly<Record<string, string>>, mode = 0o755): string {
  const folder = temporaryFolder(onTestFinished);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), mode);
  }
  return folder;
}

async function inspect(folder: string, env: Record<string, string> = {}, timeoutMs = 60_000): Promise<AgentReport[]> {
  return inspectAgents({ cwd: "/", env: { PATH: folder, HOME: folder, ...env }, timeoutMs }, patient);
}

describe("an agent's CLI", () => {
  test("is found with its version", async () => {
    const folder = programs({ claude: 'echo "2.1.325 (Claude Code)"', codex: "echo codex-cli 0.200.1-beta.2" });
    const [claude, codex] = await inspect(folder);
    expect(claude).toMatchObject({
      path: join(folder, "claude"),
      version: "2.1.325",
      standing: "recorded",
      problem: null,
    });
    expect(codex).toMatchObject({ path: join(folder, "codex"), version: "0.200.1-beta.2", standing: "newer" });
    expect(claude?.behaviours.length).toBeGreaterThan(3);
  });

  test("that is not installed is told so, and nothing is known of it", async () => {
    expect(await inspect(programs({}))).toEqual([
      {
        id: "claude-code",
        program: "claude",
        path: null,
        version: null,
        standing: "unknown",
        newestRecorded: "2.1.325",
        credentials: { kind: "none", source: null },
        behaviours: [],
        problem: null,
      },
      expect.objectContaining({ id: "codex", path: null }),
    ]);
  });

  /** A time no good answer needs, and one that need not be waited for. */
  const [LONG_MS, SHORT_MS] = [60_000, 300];

  test.each([
    ["does not end", "exec sleep 30", "did not end within 0.3 s", SHORT_MS],
    ["does not end, nor does its child that holds the pipe", "sleep 30 & wait", "did not end within 0.3 s", SHORT_MS],
    ["fails", "echo 2.1.325; exit 3", "ended with exit 3", LONG_MS],
    ["dies", "kill -9 $$", "was ended by a signal", LONG_MS],
    ["says something else", "echo hello", "named no version", LONG_MS],
  ])("whose --version %s is installed all the same", async (_name, script, problem, timeoutMs) => {
    const folder = programs({ claude: script });
    const [claude] = await inspect(folder, { PATH: [folder, process.env["PATH"]].join(delimiter) }, timeoutMs);
    expect(claude).toMatchObject({ path: join(folder, "claude"), version: null, standing: "unknown" });
    expect(claude?.problem).toBe(`${join(folder, "claude")} --version ${problem}`);
  });

  test("whose interpreter is missing cannot be started", async () => {
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, "codex"), "#!/nowhere/interpreter\n", { mode: 0o755 });
    const [, codex] = await inspect(folder);
    expect(codex?.problem).toBe(`${join(folder, "codex")} cannot be started`);
  });
});

describe("credentials", () => {
  test("are found where the agent looks first, and never read", () => {
    const home = temporaryFolder(onTestFinished);
    mkdirSync(join(home, ".claude"));
    writeFileSync(join(home, ".claude/.credentials.json"), "secret", { mode: 0 });
    mkdirSync(join(home, "codex"));
    writeFileSync(join(home, "codex/auth.json"), "secret");
    const login = join(home, ".claude/.credentials.json");
    expect([
      findCredentials("claude-code", { HOME: home }),
      findCredentials("claude-code", { HOME: home, ANTHROPIC_API_KEY: "sk-secret", ANTHROPIC_AUTH_TOKEN: "" }),
      findCredentials("claude-code", { HOME: home, CLAUDE_CONFIG_DIR: "/elsewhere" }),
      findCredentials("codex", { HOME: home }),
      findCredentials("codex", { HOME: home, CODEX_HOME: join(home, "codex") }),
    ]).toEqual([
      { kind: "login", source: login },
      { kind: "environment", source: "ANTHROPIC_API_KEY" },
      { kind: "none", source: null },
      { kind: "none", source: null },
      { kind: "login", source: join(home, "codex/auth.json") },
    ]);
  });
});
