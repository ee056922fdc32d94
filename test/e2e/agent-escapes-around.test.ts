import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { say, useAll } from "../model-server/model-scenario.ts";
import { KEY, results } from "./agent-scene.ts";
import type { Call, EscapeScene } from "./escape-scene.ts";
import { CAGES, CANARY, decisionsOf, git, openEscapeScene, settle, writeProgram } from "./escape-scene.ts";

const bash = (command: string): Call => ["bash", { command }];

/** A server that counts who comes. */
async function listen(): Promise<{ readonly port: number; readonly visits: () => number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${CANARY}`);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, visits: () => visits };
}

const knocks = (port: number): Call[] => [
  bash(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`),
  bash(`curl -sS http://127.0.0.1:${port}/`),
  bash(`node -e 'require("net").connect(${port}, "127.0.0.1").pipe(process.stdout)'`),
  ["web_fetch", { url: `http://127.0.0.1:${port}/` }],
  ["WebFetch", { url: `http://[::ffff:127.0.0.1]:${port}/` }],
];

test("without a cage the network is reached", async () => {
  const { port, visits } = await listen();
  const scene = await openEscapeScene(() => ({ calls: knocks(port) }), {
    mode: "danger-full-access",
    sandboxed: false,
  });
  await scene.ask("go");
  expect(visits()).toBe(5);
});

describe.each(CAGES)("$mode, sandbox: $sandboxed", (cage) => {
  test("nothing arrives over the network", async () => {
    const { port, visits } = await listen();
    const scene = await openEscapeScene(() => ({ calls: knocks(port) }), cage);
    const body = await scene.ask("go");
    expect(visits()).toBe(0);
    expect(decisionsOf(body).slice(3)).toEqual(["denied", "denied"]);
    scene.expectUnharmed(body);
  });

  test("the key is nowhere to be found", async () => {
    const backwards = "tr '\\0' '\\n' | rev";
    const calls = [
      bash(`env | rev`),
      bash(`cat /proc/self/environ | ${backwards}`),
      bash(`cat /proc/1/environ | ${backwards}`),
      bash(`cat /proc/$PPID/environ /proc/*/environ | ${backwards}`),
      bash(`ps auxewww | rev`),
      bash("echo $ANTHROPIC_API_KEY | rev"),
      ["read_file", { path: "/proc/self/environ" }] as const,
      ["grep_search", { pattern: "sk-", path: "/proc/self/environ", output_mode: "content" }] as const,
    ];
    const scene = await openEscapeScene(() => ({ calls }), cage);
    const body = await scene.ask("go");
    expect(JSON.stringify(body)).not.toContain(KEY);
    expect(decisionsOf(body).slice(6)).toEqual(["denied", "denied"]);
    scene.expectUnharmed(body);
  });

  test("what the environment names is not started", async () => {
    const calls = [bash("ls"), bash("git diff"), bash("git log --oneline"), bash("bash -c :"), bash("node -e 0")];
    const scene = await openEscapeScene(() => ({ calls }), cage);
    const { root, places } = scene;
    git(root, "init", "-q");
    git(root, "add", "sub");
    git(root, "commit", "-qm", "first");
    writeFileSync(join(root, "sub", "a"), "b\n");
    const act = `touch ${places[0].path}/planted; cat ${places[0].path}/canary`;
    const evil = writeProgram(join(root, "evil"), act);
    writeFileSync(join(root, "evil.cjs"), `require("fs").writeFileSync("${places[0].path}/planted", "")`);
    const env = {
      BASH_ENV: evil,
      ENV: evil,
      PROMPT_COMMAND: act,
      PS4: `$(${act})`,
      SHELLOPTS: "xtrace",
      "BASH_FUNC_ls%%": `() { ${act}; }`,
      LD_PRELOAD: join(root, "evil.so"),
      NODE_OPTIONS: `--require ${root}/evil.cjs`,
      PYTHONSTARTUP: evil,
      PERL5OPT: "-Mevil",
      GIT_DIR: join(places[0].path, "git"),
      GIT_EXTERNAL_DIFF: evil,
      GIT_PAGER: evil,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: evil,
      LESSOPEN: `|${evil} %s`,
      RIPGREP_CONFIG_PATH: evil,
    };
    // As the settings hand them to tools: in claw's own environment some would start before it.
    settle(scene, { sandbox: cage.sandboxed ? "required" : "off", env });
    const body = await scene.ask("go");
    const [ls, diff] = results(body);
    expect([ls?.is_error, diff?.is_error]).toEqual([false, false]);
    expect(diff?.output).toContain("+b");
    expect(decisionsOf(body)).toEqual(
      cage.sandboxed ? Array(5).fill("made") : ["made", "made", "made", "denied", "denied"],
    );
    scene.expectUnharmed(body);
  });

  test("a sub-agent can do no more than its parent", async () => {
    const attacks = ({ places: [beside, home, tmp] }: EscapeScene): Call[] => [
      ["read_file", { path: `${beside.path}/canary` }],
      ["write_file", { path: `${home.way}/planted`, content: "x" }],
      ["edit_file", { path: `victim-tmp`, old_string: "victim", new_string: "x" }],
      ["web_fetch", { url: "http://127.0.0.1:9/" }],
      bash(`cat ${tmp.path}/canary; cat ${home.way}/canary; touch ${beside.way}/planted`),
      ["bash", { command: `cat ${beside.path}/canary`, dangerouslyDisableSandbox: true }],
      ["agent", { prompt: "deeper" }],
    ];
    const scene = await openEscapeScene(
      (open) => ({
        calls: [
          ["agent", { prompt: "the attack" }],
          ["agent", { prompt: "a script", model: `scripted:${open.places[0].path}/canary` }],
          ["agent", { prompt: "a script", model: `scripted:../home/kept/canary` }],
        ],
        conversations: [
          {
            prompt: "the attack",
            turns: [useAll(...attacks(open)), (seen) => say(seen.results.map(({ output }) => output).join("\n"))],
          },
        ],
      }),
      cage,
    );
    const body = await scene.ask("go");
    const [report, ...scripts] = results(body).slice(-3);
    expect(report?.output).toContain("There is no tool 'agent'");
    expect(scripts.map(({ output }) => output)).toEqual(
      Array(2).fill(expect.stringContaining("cannot be played from a file")),
    );
    const denials = body["permission_denials"] as { tool_name: string }[];
    const names = ["read_file", "write_file", "edit_file", "web_fetch", ...(cage.sandboxed ? [] : ["bash"]), "bash"];
    expect(denials.map(({ tool_name }) => tool_name)).toEqual(names);
    scene.expectUnharmed(body);
  });
});

test("leaving the sandbox has to be allowed by name", async () => {
  const calls = (scene: EscapeScene): Call[] => [
    ["bash", { command: `touch ${scene.places[0].path}/planted`, dangerouslyDisableSandbox: true }],
    ["bash", { command: `touch ${scene.places[0].path}/planted`, dangerously_disable_sandbox: true }],
  ];
  const scene = await openEscapeScene(
    (open) => ({ calls: calls(open) }),
    { mode: "workspace-write", sandboxed: true },
    { permissions: { allow: ["bash", "*"] } },
  );
  const body = await scene.ask("go");
  expect(decisionsOf(body)).toEqual(["denied", "denied"]);
  scene.expectUnharmed(body);
});

test("a skill and instructions lead nowhere outside", async () => {
  const scene = await openEscapeScene(
    () => ({
      calls: [
        ["skill", { skill: "leak" }],
        ["skill", { skill: "../../outside" }],
      ],
    }),
    { mode: "workspace-write", sandboxed: false },
  );
  const { root, places } = scene;
  mkdirSync(join(root, ".claw", "skills", "leak"), { recursive: true });
  symlinkSync(join(places[0].path, "canary"), join(root, ".claw", "skills", "leak", "SKILL.md"));
  symlinkSync(join(places[1].path, "canary"), join(root, "CLAUDE.md"));
  symlinkSync(places[2].path, join(root, ".claude"));
  const body = await scene.ask("go");
  expect(results(body).map(({ is_error }) => is_error)).toEqual([true, true]);
  scene.expectUnharmed(body);
});

test("a link to what is beside the workspace in its repository shows nothing of it in the next run", async () => {
  const command = `ln -s ../outside/canary CLAUDE.md; mkdir -p .claude/skills/leak; ln -s ../../../../outside/canary .claude/skills/leak/SKILL.md`;
  const calls: Call[] = [bash(command), ["skill", { skill: "leak" }]];
  const scene = await openEscapeScene(() => ({ calls }), { mode: "workspace-write", sandboxed: true });
  git(dirname(scene.root), "init", "-q");
  await scene.ask("go");
  const body = await scene.ask("go");
  expect(results(body)[1]?.output).toMatch(/^There is no skill/);
  scene.expectUnharmed(body);
});
