import type { JsonObject } from "claw-contract";
import { expect, test } from "vitest";
import { createRunReader } from "../stream/create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import { refusalWarning } from "./limited-stores.ts";

const EXIT = { exitCode: 0, signal: null, ended: "by-itself", durationMs: 1 } as const;

interface Stream {
  readonly lines: readonly JsonObject[];
  readonly stderr?: string;
  readonly metadata?: JsonObject;
}

function read(harness: "claude-code" | "codex", { lines, stderr = "", metadata = {} }: Stream) {
  const reader = createRunReader(HARNESSES[harness], { metadata });
  reader.push(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
  const { permission_denials: denials, warnings, succeeded_cleanly: clean } = reader.finish({ ...EXIT, stderr });
  return { denials, warnings, clean };
}

const command = (output: string, exit = 1): JsonObject => ({
  type: "item.completed",
  item: { id: "item_0", type: "command_execution", command: "touch x", aggregated_output: output, exit_code: exit },
});
const SAID = { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "Done." } };
const READ_ONLY = "touch: cannot touch 'x': Read-only file system\n";

test("a command that Codex's sandbox stopped is a refusal, and the run is not clean", () => {
  const told = read("codex", { lines: [command(READ_ONLY), SAID] });
  expect(told).toEqual({
    denials: [{ tool_name: "command_execution", tool_use_id: "item_0", tool_input: { command: "touch x" } }],
    warnings: ["permission-denied: 1 call was refused: command_execution"],
    clean: false,
  });
});

test.each<[string, Stream]>([
  ["fails otherwise", { lines: [command("no such file"), SAID] }],
  ["goes well", { lines: [command(READ_ONLY, 0), SAID] }],
  ["no sandbox holds", { lines: [command(READ_ONLY), SAID], metadata: { sandbox_mode: "danger-full-access" } }],
])("a command that %s is no refusal", (_what, stream) => {
  expect(read("codex", stream)).toEqual({ denials: [], warnings: [], clean: true });
});

const LOG = "2026-11-17T19:49:03.132628Z ERROR codex_core::tools::router: error=";
const NEVER = "approval policy is Never; reject command — you cannot ask for escalated permissions";

test("what Codex's log alone tells of is a refusal too, as often as it is told", () => {
  const lines = [`${LOG}${NEVER}`, `${LOG.replace("03.13", "04.00")}${NEVER}`, `${LOG}patch rejected: it is read-only`];
  const stderr = ["Reading prompt from stdin...", ...lines, `${LOG}Fatal error: bad payload`].join("\n");
  const { denials, warnings, clean } = read("codex", { lines: [SAID], stderr });
  expect(denials.map(({ tool_name: tool }) => tool)).toEqual(["command_execution", "command_execution", "file_change"]);
  expect(denials[0]).toMatchObject({ reason: NEVER, at: "2026-11-17T19:49:03.132628Z", tool_use_id: null });
  expect(warnings[0]).toBe("permission-denied: 3 calls were refused: command_execution, file_change");
  expect(clean).toBe(false);
});

test("a command that Claude Code's sandbox stopped is a refusal", () => {
  const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "touch x" } };
  const result = { type: "tool_result", tool_use_id: "t1", is_error: true, content: `Exit code 1\n${READ_ONLY}` };
  const lines = [
    { type: "assistant", message: { content: [call] } },
    { type: "user", message: { content: [result] } },
    { type: "assistant", message: { content: [{ type: "text", text: "Done." }] } },
    { type: "result", subtype: "success", is_error: false },
  ];
  expect(read("claude-code", { lines })).toEqual({
    denials: [{ tool_name: "Bash", tool_use_id: "t1" }],
    warnings: ["permission-denied: 1 call was refused: Bash"],
    clean: false,
  });
  expect(read("claude-code", { lines, metadata: { permission_mode: "danger-full-access" } }).clean).toBe(true);
});

test("Claude Code that cannot start its sandbox is warned of, with what is missing", () => {
  const stderr =
    "\n⚠ Sandbox disabled: dependencies are missing: socat not installed\n  Commands will run WITHOUT it.\n";
  const lines = [{ type: "result", subtype: "success", is_error: false }];
  expect(read("claude-code", { lines, stderr }).warnings).toContain(
    "sandbox: Claude Code runs without its sandbox, so commands need permission: dependencies are missing: socat not installed",
  );
});

test("a warning names some of the tools that were refused", () => {
  const denials = ["a", "b", "c", "d", "e", "f", "a"].map((name) => ({ tool_name: name }));
  expect(refusalWarning(denials)).toBe("permission-denied: 7 calls were refused: a, b, c, d, e, …");
  expect([refusalWarning([]), refusalWarning([{}])]).toEqual([null, "permission-denied: 1 call was refused"]);
});
