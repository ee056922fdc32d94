import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { stateHome } from "../../packages/claw/src/files/index.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Answer, Attempt, ModelScenario, Reaction } from "../model-server/model-scenario.ts";
import { broken, FAULTS, say, use } from "../model-server/model-scenario.ts";
import { SCENARIOS } from "../model-server/scenarios.ts";
import type { AgentScene } from "./agent-scene.ts";
import { KEY, openAgentScene, results, sessionOf } from "./agent-scene.ts";
import type { Body } from "./run-claw.ts";
import { BINARY, clawJson } from "./run-claw.ts";
import { seedFile } from "./seed.ts";
import { cleanEnvironment } from "./workspace.ts";

const sessionsIn = ({ workspace }: AgentScene): string[] => {
  try {
    return readdirSync(join(workspace.cwd, ".claw/sessions")).filter((name) => name.endsWith(".jsonl"));
  } catch {
    return [];
  }
};

const linesOf = (stdout: string): JsonObject[] => jsonLines<JsonObject>(stdout);

const firstBody = (scene: AgentScene): JsonObject => scene.requests()[0]?.body ?? {};

/** What the model was told, as text. */
const sent = (scene: AgentScene): string => JSON.stringify(scene.requests().map(({ body }) => body));

describe("a prompt", () => {
  test("comes from standard input when the line has none", async () => {
    const scene = await openAgentScene(SCENARIOS.text);
    const { exitCode } = await scene.run(["-p", "--output-format", "json"], { stdin: "what is the answer?\n" });
    expect(exitCode).toBe(0);
    expect(sent(scene)).toContain("what is the answer?");
  });

  test("of the line has what is piped in as its context", async () => {
    const scene = await openAgentScene(SCENARIOS.text);
    const { exitCode } = await scene.run(["-p", "what broke?", "--output-format", "json"], { stdin: "line 7: boom\n" });
    expect(exitCode).toBe(0);
    expect(sent(scene)).toContain(String.raw`what broke?\n\n<stdin>\nline 7: boom\n</stdin>`);
  });

  test("is sent with the last trial of the sandbox, while a command tries the sandbox anew", async () => {
    const scene = await openAgentScene({ turns: [use("bash", { command: "touch made" }), say("done")] });
    const record = join(stateHome({ HOME: scene.workspace.home }), "sandbox-trials.json");
    const isTold = (): boolean => JSON.stringify(scene.requests().at(-1)?.body).includes("commands run in a sandbox");
    await scene.ask("touch it", "--dry-run");
    expect(existsSync(record)).toBe(false);
    const first = await scene.ask("touch it");
    const works = isTold();
    const [trial] = JSON.parse(readFileSync(record, "utf8")) as [JsonObject];
    expect(trial["kind"]).toBe(works ? "bubblewrap" : null);
    const other = works ? { kind: null, reason: "none" } : { kind: "bubblewrap", reason: null };
    writeFileSync(record, JSON.stringify([{ ...trial, ...other }]), { mode: 0o600 });
    const second = await scene.ask("touch it");
    expect(isTold()).toBe(!works);
    for (const answer of [first, second]) expect(results(answer).map(({ is_error }) => is_error)).toEqual([!works]);
  });

  test("goes on with the newest session, and in a copy of it when asked to", async () => {
    const scene = await openAgentScene({ turns: [say("one"), say("two"), say("three")] });
    const first = await scene.ask("first question");
    const second = await scene.ask("second question", "--continue");
    expect(second).toMatchObject({ session_id: first["session_id"], message: "two" });
    const before = readFileSync(String(first["session_path"]), "utf8");
    const forked = await scene.ask("third question", "--resume", String(first["session_id"]), "--fork");
    expect(forked["message"]).toBe("three");
    expect(forked["session_id"]).not.toBe(first["session_id"]);
    expect(readFileSync(String(first["session_path"]), "utf8")).toBe(before);
    expect(JSON.stringify(scene.requests().at(-1)?.body)).toContain("first question");
  });

  test("does not go on with a session that came with the folder, unless that is named, and then says so", async () => {
    const scene = await openAgentScene({ turns: [say("one"), say("two")] });
    const meta = {
      type: "session_meta",
      version: 1,
      session_id: "planted",
      created_at_ms: 1,
      workspace_root: scene.workspace.cwd,
    };
    const message = { type: "message", message: { role: "user", blocks: [{ type: "text", text: "planted words" }] } };
    seedFile(
      scene.workspace,
      ".claw/sessions/planted.jsonl",
      `${[meta, message].map((line) => JSON.stringify(line)).join("\n")}\n`,
    );
    for (const flags of [["--continue"], ["--resume", "latest"]]) {
      expect((await scene.ask("hi", ...flags)).error?.code).toBe("NO_SESSIONS");
    }
    expect(scene.requests()).toEqual([]);
    const named = await scene.ask("hi", "--resume", "planted");
    expect(named["warnings"]).toEqual([expect.stringMatching(/^FOREIGN_SESSION: 'planted' /)]);
    expect(sent(scene)).toContain("planted words");
    expect(await scene.ask("hi", "--continue")).toMatchObject({ session_id: "planted", message: "two" });
  });

  test("counts what it used and what its session has used", async () => {
    const scene = await openAgentScene({ turns: [{ ...say("one"), inputTokens: 1000, outputTokens: 500 }] });
    const first = await scene.ask("hi");
    expect(first).toMatchObject({ usage: { input_tokens: 1000, output_tokens: 500 }, cost_usd: 0.0175 });
    const second = await scene.ask("hi", "--continue");
    expect(second).toMatchObject({
      usage: { input_tokens: 1000 },
      usage_session: { input_tokens: 2000, output_tokens: 1000 },
      estimated_cost: "$0.0175",
    });
  });

  test("can only be resumed in a session that is there, and forked from one", async () => {
    const scene = await openAgentScene(SCENARIOS.text);
    expect((await scene.ask("hi", "--resume", "nowhere")).error?.code).toBe("SESSION_NOT_FOUND");
    expect((await scene.ask("hi", "--continue")).error?.code).toBe("NO_SESSIONS");
    expect((await scene.ask("hi", "--fork")).error?.code).toBe("INVALID_FLAG_VALUE");
    expect(scene.requests()).toEqual([]);
  });
});

const LOOPING: ModelScenario = { turns: [use("glob_search", { pattern: "*" })] };

describe("a limit", () => {
  test("of requests is looked at before the next one", async () => {
    const scene = await openAgentScene(LOOPING);
    expect(await scene.ask("go", "--max-turns", "2")).toMatchObject({
      exit_code: 0,
      stop_reason: "max_turns_reached",
      iterations: 2,
    });
    expect(scene.requests()).toHaveLength(2);
  });

  test("of money is never gone beyond, and a prompt that it leaves no room for leaves no trace", async () => {
    const scene = await openAgentScene({ turns: [{ ...use("glob_search", { pattern: "*" }), outputTokens: 400 }] });
    const body = await scene.ask("go", "--budget-usd", "0.05");
    expect(body).toMatchObject({ exit_code: 0, stop_reason: "max_budget_reached" });
    expect(body["cost_usd"]).toBeLessThanOrEqual(0.05);
    const asked = scene.requests().length;
    const none = await scene.ask("go", "--budget-usd", "0.000001");
    expect(none).toMatchObject({ stop_reason: "max_budget_reached", iterations: 0, session_id: null });
    expect(scene.requests()).toHaveLength(asked);
    expect(sessionsIn(scene)).toHaveLength(1);
  });

  test("of money on a model without a price is refused", async () => {
    const scene = await openAgentScene(SCENARIOS.text);
    const body = await scene.ask("go", "--model", "scripted", "--budget-usd", "1");
    expect(body.error).toMatchObject({ code: "INVALID_FLAG_VALUE", target: "--budget-usd" });
  });

  test("of time stops the turn, which leaves no trace in what counts", async () => {
    const scene = await openAgentScene({ turns: [use("bash", { command: "sleep 60" })] });
    const body = await scene.ask("go", "--timeout-seconds", "8");
    expect(body).toMatchObject({
      exit_code: 2,
      stop_reason: "timeout",
      cancel_observed: true,
      error: { code: "TIMEOUT" },
    });
    const stored = await clawJson(scene.workspace, ["list-sessions"]);
    expect((stored["sessions"] as JsonObject[]).map(({ message_count }) => message_count)).toEqual([0]);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "a turn that %s stops counts for nothing and says that it saw it",
  async (signal) => {
    const scene = await openAgentScene(SCENARIOS["slow-drip"]);
    const child = spawn(process.execPath, [BINARY, "-p", "go", "--output-format", "json"], {
      cwd: scene.workspace.cwd,
      env: cleanEnvironment(scene.workspace, scene.env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = outputOf(child);
    await until("the request", () => scene.requests().length > 0);
    child.kill(signal);
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(1);
    const body = JSON.parse(stdout) as Body;
    expect(body).toMatchObject({ stop_reason: "cancelled", cancel_observed: true, error: { code: "CANCELLED" } });
    // A session that was removed is not named.
    expect(body).toMatchObject({ session_id: null, session_path: null });
    expect(sessionsIn(scene)).toEqual([]);
  },
);

describe("what the model is told", () => {
  test("holds the project's instructions, root before folder, and no secret", async () => {
    const scene = await openAgentScene({
      turns: [use("bash", { command: "env; echo $ANTHROPIC_API_KEY" }), say("ok")],
    });
    seedFile(scene.workspace, "AGENTS.md", "Always write tests.");
    seedFile(scene.workspace, "CLAUDE.md", `Never print ${KEY}.`);
    const body = await scene.ask(`my key is ${KEY}`);
    const told = sent(scene);
    expect(told).toContain("Always write tests.");
    expect(told).toContain("Never print ");
    expect([told, JSON.stringify(body), JSON.stringify(sessionOf(body))].filter((text) => text.includes(KEY))).toEqual(
      [],
    );
  });

  test("ends with what was appended, and marks what a provider should cache", async () => {
    const scene = await openAgentScene(SCENARIOS.text);
    await scene.ask("hi", "--append-system-prompt", "Answer in Latin.");
    const { system, tools, messages } = firstBody(scene) as {
      system: JsonObject[];
      tools: JsonObject[];
      messages: { content: JsonObject[] }[];
    };
    expect(JSON.stringify(system)).toContain("Answer in Latin.");
    const marked = [system.at(-1), tools.at(-1), messages.at(-1)?.content.at(-1)];
    expect(marked.map((part) => part?.["cache_control"])).toEqual(marked.map(() => ({ type: "ephemeral" })));
  });

  test("offers the tools that the run is restricted to, and no others", async () => {
    const scene = await openAgentScene({ turns: [use("bash", { command: "true" }), say("ok")] });
    const body = await scene.ask("hi", "--allowed-tools", "Read,GlobTool");
    const { tools } = firstBody(scene) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(["read_file", "glob_search"]);
    expect(results(body)).toMatchObject([{ is_error: true }]);
  });
});

describe("a conversation is compacted by the size of its last request", () => {
  const reading = (inputTokens: number): Answer => ({ ...use("read_file", { path: "a.txt" }), inputTokens });
  const sizes = [90_000, 90_000, 120_000];
  const has = (prompts: readonly string[], part: string): boolean => prompts.some((text) => text.includes(part));
  const react =
    (summary: Attempt): Reaction =>
    ({ prompts, turn }) => {
      if (has(prompts, "under the four headings")) return summary;
      return has(prompts, "<conversation_summary>") ? say("done") : reading(sizes[turn] ?? 0);
    };

  test("by the model's summary, which is paid for, and says so", async () => {
    const summary: Answer = { ...say("## Task\nread a.txt\n## Open points\nnone"), inputTokens: 7 };
    const scene = await openAgentScene({ turns: [react(summary)] });
    const body = await scene.ask("read");
    const notice = "Auto-compacted: removed 3 messages to free context. The model wrote their summary.";
    const told = { removed_messages: 3, notice, summary_kind: "model", fallback_reason: null };
    expect(body).toMatchObject({ message: "done", iterations: 5, auto_compaction: told });
    const compactions = sessionOf(body).filter(({ type }) => type === "compaction");
    const usage = { input_tokens: 7 };
    expect(compactions).toMatchObject([{ count: 1, removed_message_count: 3, summary_kind: "model", usage }]);
    expect(body).toMatchObject({ usage: { input_tokens: 301_007 }, usage_session: { input_tokens: 301_007 } });
    // The next turn starts from the summary, and a small request is no reason to compact again.
    const next = await scene.ask("go on", "--continue");
    expect(next["auto_compaction"]).toBeNull();
    expect(JSON.stringify(scene.requests().at(-1)?.body)).toContain("## Open points");
  });

  test("by a mechanical summary when the model gives none", async () => {
    const scene = await openAgentScene({ turns: [react(FAULTS.contextWindow)] });
    const body = await scene.ask("read");
    expect(body).toMatchObject({ message: "done", iterations: 4, auto_compaction: { summary_kind: "mechanical" } });
    expect(JSON.stringify(scene.requests().at(-1)?.body)).toContain("earlier messages are left out");
  });
});

describe("hooks", () => {
  const settings = (hooks: object): string => JSON.stringify({ hooks });

  test("refuse calls, change them, add to results and send the model back to work", async () => {
    const turns = [
      use("bash", { command: "echo one" }),
      use("bash", { command: "echo two" }),
      say("done"),
      say("really done"),
    ];
    const scene = await openAgentScene({ turns });
    const { cwd } = scene.workspace;
    writeFileSync(join(cwd, "pre.sh"), 'case "$HOOK_TOOL_INPUT" in *one*) echo "not that" >&2; exit 2;; esac\n');
    writeFileSync(join(cwd, "post.sh"), 'echo \'{"hookSpecificOutput":{"additionalContext":"mind the gap"}}\'\n');
    writeFileSync(
      join(cwd, "stop.sh"),
      '[ -e stopped ] || { touch stopped; echo "run the tests first" >&2; exit 2; }\n',
    );
    const command = (file: string) => [{ matcher: "*", hooks: [{ type: "command", command: `sh ${file}` }] }];
    const hooks = { PreToolUse: command("pre.sh"), PostToolUse: command("post.sh"), Stop: command("stop.sh") };
    seedFile(scene.workspace, "../home/.claw/settings.json", settings(hooks));
    const body = await scene.ask("go");
    expect(results(body)).toMatchObject([
      { is_error: true, output: expect.stringContaining("not that") as string },
      { is_error: false, output: expect.stringContaining("mind the gap") as string },
    ]);
    expect(body).toMatchObject({ message: "really done", permission_denials: [{ tool_name: "bash" }] });
    expect(sent(scene)).toContain("run the tests first");
  });

  test("of a folder nobody trusts do not run", async () => {
    const scene = await openAgentScene(SCENARIOS.text);
    seedFile(scene.workspace, ".claw/settings.json", settings({ SessionStart: ["touch ran"] }));
    const body = await scene.ask("hi");
    expect(body["warnings"]).toEqual([expect.stringMatching(/^UNTRUSTED_SETTING: 'hooks'/)]);
    expect(readdirSync(scene.workspace.cwd)).not.toContain("ran");
  });
});

describe("a sub-agent", () => {
  test("does its part and reports, on the account of the run, and can do no more than its parent", async () => {
    const scenario: ModelScenario = {
      turns: [use("agent", { prompt: "SUB-WORK: write a file" }), say("The sub-agent is done.")],
      conversations: [
        { prompt: "SUB-WORK", turns: [use("write_file", { path: "sub.txt", content: "x" }), say("could not write")] },
      ],
    };
    const scene = await openAgentScene(scenario);
    const body = await scene.ask("delegate", "--permission-mode", "read-only");
    expect(results(body)).toMatchObject([{ tool_name: "agent", output: "could not write" }]);
    expect(body["permission_denials"]).toMatchObject([{ tool_name: "write_file" }]);
    expect(readdirSync(scene.workspace.cwd)).not.toContain("sub.txt");
    expect((body["usage"] as { output_tokens: number }).output_tokens).toBeGreaterThan(0);
    const tools = scene.requests()[1]?.body["tools"] as { name: string }[];
    expect(tools.map(({ name }) => name)).not.toContain("agent");
  });

  test("is not played from a file, which would show what stands there", async () => {
    const canary = "heron 4471 stands outside";
    const turns = [use("agent", { prompt: "hi", model: "scripted:../canary.txt" }), say("ok")];
    const scene = await openAgentScene({ turns });
    seedFile(scene.workspace, "../canary.txt", canary);
    const body = await scene.ask("go");
    expect(results(body)).toMatchObject([{ is_error: true }]);
    expect([sent(scene), JSON.stringify(body)].filter((text) => text.includes(canary.slice(0, 8)))).toEqual([]);
  });
});

describe("stream-json", () => {
  test("tells of messages while they are written when it is asked to, and which were broken off", async () => {
    const turns = [[broken(say("Half of an answer, and more."), "cut", 4), say("Hello, my key is hush-hush-secret.")]];
    const scene = await openAgentScene({ turns }, { env: { MY_API_KEY: "hush-hush-secret" } });
    const flags = ["--output-format", "stream-json", "--include-partial-messages"];
    const lines = linesOf((await scene.run(["-p", "hi", ...flags])).stdout);
    const parts = lines.filter(({ type }) => type === "stream_event");
    const eventOf = (line: JsonObject): JsonObject => line["event"] as JsonObject;
    const stops = parts.filter((line) => eventOf(line)["type"] === "message_stop");
    expect(stops.map((line) => "abandoned_blocks" in line)).toEqual([true, false]);
    const kept = parts.filter((line) => line["api_message_id"] === stops[1]?.["api_message_id"]).map(eventOf);
    const said = kept.map((event) => (event["delta"] as { text?: string } | undefined)?.text ?? "").join("");
    expect(said).toBe("Hello, my key is [REDACTED].");
    expect(lines.find(({ subtype }) => subtype === "api_retry")).toBeDefined();
    const { error } = await scene.ask("hi", "--include-partial-messages");
    expect(error).toMatchObject({ code: "INVALID_FLAG_VALUE", target: "--include-partial-messages" });
  });

  test("has the lines of other agents' streams, so that claw is its own harness", async () => {
    const scene = await openAgentScene({ turns: [use("glob_search", { pattern: "*" }), say("All quiet.")] });
    const { stdout, exitCode } = await scene.run(["-p", "look", "--output-format", "stream-json"]);
    const lines = linesOf(stdout);
    expect(exitCode).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual(["system", "assistant", "user", "assistant", "result"]);
    expect(lines.at(-1)).toMatchObject({
      is_error: false,
      stop_reason: "end_turn",
      turn_stop_reason: "completed",
      num_turns: 2,
    });
    const body = await clawJson(scene.workspace, ["run", "look", "--harness", "claw"], { env: scene.env });
    expect(body["result"]).toMatchObject({
      harness: "claw",
      output: "All quiet.",
      succeeded_cleanly: true,
      model: "claude-opus-4-5",
      api_key_source: "ANTHROPIC_API_KEY",
    });
  });

  test("ends with the failure as its result, which the harness classifies by its status", async () => {
    const scene = await openAgentScene({ turns: [FAULTS.unauthorised] });
    const { stdout } = await scene.run(["-p", "look", "--output-format", "stream-json"]);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", is_error: true, api_error_status: 401 });
    const body = await clawJson(scene.workspace, ["run", "look", "--harness", "claw"], { env: scene.env });
    expect(body).toMatchObject({
      error: { code: "TOKEN_INVALID" },
      result: { error_category: "auth", api_error_status: 401 },
    });
  });
});
