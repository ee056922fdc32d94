import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { PLAIN_PAINT } from "../../runtime/paint.ts";
import { createTestPorts } from "../../testing/test-ports.ts";
import type { CommandContext } from "./command.ts";
import { createVerbCaller, executeCommand } from "./execute-command.ts";
import { requireCommand } from "./find-command.ts";
import type { InteractiveSession } from "./interactive-session.ts";
import { createSlashCommands } from "./create-slash-commands.ts";
import { createMemorySession } from "./testing/memory-session.ts";

const SKILL = { name: "review", description: "Reviews a change.", path: "/skills/review/SKILL.md" };

const META = { type: "session_meta", version: 1, created_at_ms: 1 };

async function order(line: string, session: InteractiveSession | null) {
  const ports = createTestPorts(temporaryFolder(onTestFinished));
  const commands = createSlashCommands([SKILL]);
  const context: CommandContext = {
    ports,
    session,
    commands,
    paint: PLAIN_PAINT,
    dryRun: false,
    ...createVerbCaller(ports, PLAIN_PAINT),
  };
  const [name = "", ...words] = line.split(" ");
  return executeCommand(requireCommand(commands, name), words.join(" "), context, ports.signal);
}

const handled = (message: unknown) => ({ handled: true, message, effect: "noop" });

describe("in a session", () => {
  test("model says which one answers, and changes it", async () => {
    const session = createMemorySession();
    expect(await order("model", session)).toEqual(handled("The model is model-1."));
    expect(await order("model model-2", session)).toEqual(handled("The model is model-2 now, it was model-1."));
    expect(await order("model model-2", session)).toEqual(handled("The model is model-2 already."));
    await expect(order("model a b", session)).rejects.toMatchObject({ code: "INVALID_MODEL" });
    expect(session.model()).toBe("model-2");
  });

  test("permissions says which mode holds, and changes it to one there is", async () => {
    const session = createMemorySession();
    expect(await order("permissions read-only", session)).toEqual(handled("The permission mode is read-only now."));
    expect(await order("permissions", session)).toEqual(handled("The permission mode is read-only."));
    await expect(order("permissions all", session)).rejects.toMatchObject({ code: "INVALID_PERMISSION_MODE" });
    expect(session.permissionMode()).toBe("read-only");
  });

  test("compact says how much went, and is not handled when nothing did", async () => {
    const session = createMemorySession({ prompts: ["one", "two", "three"] });
    expect(await order("compact", session)).toEqual(
      handled("Replaced 2 messages by a summary. The model wrote it (1.2k tokens in, 80 out)."),
    );
    expect(await order("compact", session)).toMatchObject({ handled: false });
  });

  test("clear leaves a way back, and resume takes it", async () => {
    const session = createMemorySession({ stored: { "s-1": 3 } });
    expect(await order("clear", session)).toEqual(handled("This is s-2 now. Back to the one before: /resume s-1"));
    expect(await order("resume s-1", session)).toEqual(handled("This is s-1 now, with 3 messages."));
    await expect(order("resume nope", session)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  test("cost says what was used and what it comes to", async () => {
    const { message } = await order("cost", createMemorySession());
    expect(message.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["session", "s-1"],
      ["model", "model-1"],
      ["input tokens", "10"],
      ["output tokens", "5"],
      ["cache writes", "3"],
      ["cache reads", "2"],
      ["cost", "$0.0123"],
    ]);
  });

  test("history lists the newest prompts by number, on a line each", async () => {
    const session = createMemorySession({ prompts: ["one", "two\nlines", "x".repeat(500)] });
    const { message } = await order("history 2", session);
    expect(message.split("\n").map((line) => line.slice(0, 12))).toEqual(["2. two lines", "3. xxxxxxxxx"]);
    expect(message.length).toBeLessThan(250);
    for (const count of ["0", "-1", "1.5", "many", "9999"]) {
      await expect(order(`history ${count}`, session)).rejects.toMatchObject({ code: "INVALID_HISTORY_COUNT" });
    }
    expect(await order("history", createMemorySession())).toEqual(handled("Nothing was asked yet."));
  });

  test("todos shows what is to be done and how far it is", async () => {
    const todos = [
      { content: "write", status: "completed" },
      { content: "test", status: "in_progress" },
      { content: "ship", status: "pending" },
    ] as const;
    expect(await order("todos", createMemorySession({ todos }))).toEqual(handled("[x] write\n[>] test\n[ ] ship"));
  });

  test("exit ends it", async () => {
    const session = createMemorySession();
    expect(await order("exit", session)).toEqual(handled("Ended."));
    expect(session.hasEnded()).toBe(true);
  });

  test("status tells of the session's own model and mode", async () => {
    const session = createMemorySession();
    await session.setPermissionMode("read-only");
    const { message } = await order("status", session);
    expect(message).toContain("model-1");
    expect(message).toContain("read-only");
  });

  test("a skill becomes a prompt", async () => {
    const session = createMemorySession();
    expect(await order("review the parser", session)).toMatchObject({ handled: true });
    expect(session.submitted).toEqual(['Use the skill "review" for this: the parser']);
  });
});

describe("outside of a session", () => {
  test.each(createSlashCommands([SKILL]).filter(({ interactiveOnly }) => interactiveOnly))(
    "$name does nothing and says why",
    async ({ name }) => {
      const result = await order(name, null);
      expect(result).toMatchObject({ handled: false, effect: "noop" });
      expect(result.message).toMatch(/\.$/);
    },
  );

  test.each(["cost", "history", "export"])("%s needs a stored session", async (name) => {
    await expect(order(name, null)).rejects.toMatchObject({ code: "NO_SESSIONS" });
  });
});

test("a command that takes nothing refuses words behind it", async () => {
  await expect(order("version now", null)).rejects.toMatchObject({ code: "UNEXPECTED_ARGUMENTS", target: "now" });
});

test("what a verb warns of is passed on, and where its list would go on is not", async () => {
  const cwd = temporaryFolder(onTestFinished);
  const folder = join(cwd, ".claw", "sessions");
  mkdirSync(folder, { recursive: true });
  for (const id of ["a", "b", "not a session"]) {
    writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify({ ...META, session_id: id })}\n`);
  }
  const ports = createTestPorts(cwd);
  const { call } = createVerbCaller(ports, PLAIN_PAINT);
  const { data } = await call("list-sessions", { limit: 1 });
  expect(data.sessions).toHaveLength(1);
  expect(ports.notes.notes()).toEqual({ warnings: [expect.stringContaining("not a session")] });
});
