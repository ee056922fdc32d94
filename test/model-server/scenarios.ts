import type { JsonObject } from "claw-contract";
import type { Answer, ModelScenario } from "./model-scenario.ts";
import { broken, FAULTS, say, use, useAll } from "./model-scenario.ts";

const HELLO = say("Hello from the scripted model. The answer is 42.");

/** Text that marks the work of a sub-agent, whatever its client wraps around it. */
const SUB_PROMPT = "SUB-AGENT-WORK";

/** A call of a tool that Codex offers only on demand. */
const codexAgents = (name: string, input: JsonObject): Answer => ({
  kind: "answer",
  blocks: [{ kind: "tool", namespace: "multi_agent_v1", name, input }],
});

/** What the scripted model can be asked to do, by name. */
export const SCENARIOS = {
  text: { turns: [HELLO] },
  thinking: { turns: [{ kind: "answer", blocks: [{ kind: "thinking", text: "Six times seven." }, ...HELLO.blocks] }] },
  "claude-bash": {
    turns: [
      use("Bash", { command: "echo tool-ran", description: "Say so" }, "Running a command."),
      say("The command printed tool-ran."),
    ],
  },
  "claude-write": {
    turns: [
      use("Write", { file_path: "__RUN__/out.txt", content: "written by the model\n" }),
      say("Done with out.txt."),
    ],
  },
  "claude-question": {
    turns: [
      use("AskUserQuestion", {
        questions: [
          {
            question: "Which colour?",
            header: "Colour",
            multiSelect: false,
            options: [
              { label: "Red", description: "warm" },
              { label: "Blue", description: "cold" },
            ],
          },
        ],
      }),
      say("Thanks."),
    ],
  },
  "claude-sub-agent": {
    turns: [
      use("Task", {
        description: "Do part of it",
        prompt: `${SUB_PROMPT} please`,
        subagent_type: "general-purpose",
        run_in_background: false,
      }),
      say("The sub-agent said 7."),
    ],
    conversations: [{ prompt: SUB_PROMPT, turns: [say("From the sub-agent: 7.")] }],
  },
  "codex-bash": {
    turns: [use("exec_command", { cmd: "echo tool-ran" }, "Running a command."), say("The command printed tool-ran.")],
  },
  "codex-escalate": {
    turns: [
      use("exec_command", {
        cmd: "echo escalated > out.txt",
        sandbox_permissions: "require_escalated",
        justification: "May I?",
      }),
      say("Done with out.txt."),
    ],
  },
  "codex-sub-agent": {
    turns: [
      codexAgents("spawn_agent", { message: `${SUB_PROMPT} please` }),
      codexAgents("wait_agent", { targets: ["__OUTPUT.agent_id__"], timeout_ms: 60_000 }),
      say("The sub-agent said 7."),
    ],
    conversations: [{ prompt: SUB_PROMPT, turns: [say("From the sub-agent: 7.")] }],
  },
  "slow-drip": { turns: [{ ...say("word ".repeat(400)), dripMs: 100 }] },
  unauthorised: { turns: [FAULTS.unauthorised] },
  "rate-limited": { turns: [FAULTS.rateLimited] },
  "rate-limited-once": { turns: [[FAULTS.rateLimitedFor(0), say("Recovered after a pause.")]] },
  overloaded: { turns: [FAULTS.overloaded] },
  cut: { turns: [broken(HELLO, "cut", 4)] },
  "cut-once": { turns: [[broken(HELLO, "cut", 4), say("Recovered after a cut.")]] },
  reset: { turns: [broken(HELLO, "reset", 4)] },
  "bad-json": { turns: [broken(HELLO, "bad-json", 4)] },
  html: { turns: [{ kind: "html" }] },
  "hang-before-headers": { turns: [{ kind: "hang", at: "before-headers" }] },
  "payment-required": { turns: [FAULTS.paymentRequired] },
  "context-window": { turns: [FAULTS.contextWindow] },
  "server-error-once": { turns: [[FAULTS.serverError, say("Recovered after an error.")]] },
  stall: { turns: [broken(HELLO, "hang", 4)] },
  "bad-tool-json": {
    turns: [
      { kind: "answer", blocks: [{ kind: "tool", name: "bash", input: {}, inputText: '{"command": "echo' }] },
      say("That was no JSON."),
    ],
  },
  "unknown-tool": { turns: [use("no_such_tool", { anything: true }), say("There is no such tool.")] },
  "parallel-tools": {
    turns: [
      useAll(["read_file", { path: "one.txt" }], ["read_file", { path: "two.txt" }]),
      ({ results }) => say(results.map(({ name, output }) => `${name}: ${output}`).join("\n")),
    ],
  },
  "cache-drop": {
    turns: [
      { ...use("read_file", { path: "one.txt" }), inputTokens: 10, cacheCreationTokens: 9000 },
      { ...use("read_file", { path: "two.txt" }), inputTokens: 10, cacheReadTokens: 9000, cacheCreationTokens: 100 },
      { ...say("The cache was lost."), inputTokens: 10, cacheCreationTokens: 9200 },
    ],
  },
  "hang-after-headers": { turns: [{ kind: "hang", at: "after-headers" }] },
} as const satisfies Readonly<Record<string, ModelScenario>>;

export type ScenarioName = keyof typeof SCENARIOS;
