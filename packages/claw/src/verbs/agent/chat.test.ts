import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerbInput, VerbOutput } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { until } from "../../process/testing/until.ts";
import { handler } from "./chat.ts";
import type { MemoryScreen } from "../testing/memory-screen.ts";
import { createMemoryScreen } from "../testing/memory-screen.ts";
import { createTestPorts, PLAIN } from "../testing/test-ports.ts";

type Output = VerbOutput<"chat">;

interface Chat {
  readonly cwd: string;
  readonly screen: MemoryScreen;
  readonly run: (input?: Partial<VerbInput<"chat">>, signal?: AbortSignal) => Promise<Output>;
}

/** A session whose model plays these turns; without them it says what it is asked. */
function openChat(turns?: readonly unknown[]): Chat {
  const cwd = temporaryFolder(onTestFinished);
  if (turns !== undefined) writeFileSync(join(cwd, "script.json"), JSON.stringify({ turns }));
  const screen = createMemoryScreen();
  const model = turns === undefined ? "scripted" : "scripted:script.json";
  return {
    cwd,
    screen,
    run: async (input = {}, signal = new AbortController().signal) => {
      const ports = createTestPorts(cwd, { openScreen: () => Promise.resolve(screen), forPeople: true, signal });
      return (await handler.run({ model, continue: false, dryRun: false, ...input }, ports)) as Output;
    },
  };
}

const text = (value: string) => ({ type: "text", text: value });
const tool = (name: string, input: unknown) => ({ type: "tool", name, input });

describe("an interactive session", () => {
  test("answers one prompt after the other, stores them, and says how to go on", async () => {
    const { screen, run } = openChat();
    screen.type("first", "", "second");
    const output = await run();
    expect(output).toMatchObject({
      turns: 2,
      model: "scripted",
      effect: "updated",
      estimated_cost: expect.any(String),
    });
    expect(screen.text()).toContain("first\n");
    expect(screen.text()).toContain("second\n");
    expect(handler.show(output, PLAIN)).toContain(`claw chat --resume ${output.session_id ?? "?"}`);
    expect(screen.isClosed()).toBe(true);
  });

  test("goes on with a stored one", async () => {
    const { screen, run } = openChat();
    screen.type("before");
    const { session_id: id } = await run();
    screen.type("/history", "after");
    expect(await run({ resume: id ?? "" })).toMatchObject({ session_id: id, turns: 1 });
    expect(screen.text()).toContain("1. before");
    expect(screen.text()).toContain(`Going on with ${id ?? "?"}, 2 messages.\n\n› before\nbefore\n`);
    screen.type("/history");
    expect(await run({ continue: true })).toMatchObject({ session_id: id, turns: 0, effect: "noop" });
    expect(screen.text()).toContain("2. after");
  });

  test("asks before a call that a rule asks about, and goes on without it when the answer is no", async () => {
    const { cwd, screen, run } = openChat([
      { blocks: [tool("write_file", { path: "new.txt", content: "made" })] },
      { blocks: [text("ended")] },
    ]);
    mkdirSync(join(cwd, ".claw"));
    writeFileSync(join(cwd, ".claw", "settings.json"), JSON.stringify({ permissions: { ask: ["write_file"] } }));
    const ask = async (answer: string): Promise<boolean> => {
      screen.type("write it");
      screen.answer(answer);
      await run();
      return existsSync(join(cwd, "new.txt"));
    };
    expect(await ask("n")).toBe(false);
    expect(screen.text()).toMatch(/\+made[\s\S]*denied at the terminal[\s\S]*ended/);
    expect(await ask("y")).toBe(true);
  });

  test("is interrupted in a turn, which leaves no trace, and stays usable", async () => {
    const { cwd, screen, run } = openChat([
      [
        { when: { prompt_contains: "slow" }, blocks: [text("begun\n"), { type: "wait", ms: 600_000 }] },
        { blocks: [text("quick")] },
      ],
    ]);
    screen.type("slow one", "other");
    const running = run();
    await until(() => screen.text().includes("begun"));
    screen.interrupt();
    const { session_id: id, turns } = await running;
    expect(turns).toBe(1);
    expect(screen.text()).toMatch(/Interrupted\.[\s\S]*quick/);
    expect(screen.lastRequest()?.history).toEqual(["slow one", "other"]);
    const records = readFileSync(join(cwd, ".claw", "sessions", `${id}.jsonl`), "utf8");
    expect(records).not.toContain("begun");
  });

  test("shows what went wrong in a turn and goes on", async () => {
    const { screen, run } = openChat([
      [
        { when: { prompt_contains: "bad" }, blocks: [], error: { code: "PAYMENT_REQUIRED", message: "no credit" } },
        { blocks: [text("fine")] },
      ],
    ]);
    screen.type("bad", "good");
    expect(await run()).toMatchObject({ turns: 1 });
    expect(screen.text()).toMatch(/no credit[\s\S]*fine/);
  });

  test("names a mentioned file to the model and remembers the prompt as it was typed", async () => {
    const { cwd, screen, run } = openChat();
    writeFileSync(join(cwd, "a.txt"), "x");
    screen.type("read @a.txt", "/history");
    await run();
    expect(screen.text()).toContain("@ names these in the working folder: a.txt");
    expect(screen.lastRequest()?.history).toEqual(["read @a.txt", "/history"]);
  });

  test("ends with the reason of its call, and leaves the terminal", async () => {
    const { screen, run } = openChat([{ blocks: [text("begun\n"), { type: "wait", ms: 600_000 }] }]);
    const controller = new AbortController();
    screen.type("work");
    const running = run({}, controller.signal);
    await until(() => screen.text().includes("begun"));
    controller.abort(new Error("told to stop"));
    await expect(running).rejects.toThrow("told to stop");
    expect(screen.isClosed()).toBe(true);
  });

  test("needs a terminal, one session to go on with, and tells without asking what it would do", async () => {
    const { cwd, run } = openChat();
    const input = { model: "scripted", continue: false, dryRun: false };
    await expect(async () => handler.run(input, createTestPorts(cwd))).rejects.toMatchObject({
      code: "INTERACTIVE_ONLY",
    });
    await expect(run({ resume: "x", continue: true })).rejects.toMatchObject({ code: "INVALID_FLAG_VALUE" });
    await expect(run({ continue: true })).rejects.toMatchObject({ code: "NO_SESSIONS" });
    expect(await run({ dryRun: true })).toMatchObject({
      effect: "would_update",
      would_affect: [cwd],
      session_id: null,
    });
  });
});

describe("commands of a session", () => {
  test("change it: model, permissions, a new session and back", async () => {
    const { screen, run } = openChat();
    screen.type(
      "one",
      "/model bad model",
      "/model scripted",
      "/permissions read-only",
      "/clear",
      "/permissions",
      "two",
      "/resume",
    );
    const output = await run();
    const shown = screen.text();
    expect(shown).toContain("this is not the id of a model");
    expect(shown).toContain("The model is scripted already.");
    expect(shown).toContain("The permission mode is read-only.");
    expect(shown).toMatch(/This is session-\S+ now, with 2 messages\./);
    expect(output).toMatchObject({ turns: 2, usage: { output_tokens: expect.any(Number) as number } });
  });

  test("compact what was said, which still counts", async () => {
    const { screen, run } = openChat();
    screen.type("/compact", "one", "two", "three", "/compact", "four");
    const { session_id: id } = await run();
    expect(screen.text()).toContain("There is nothing to compact yet.");
    expect(screen.text()).toContain("Replaced 2 messages by a summary.");
    screen.type("/history");
    await run({ resume: id ?? "" });
    expect(screen.text()).toMatch(/1\. two\s+2\. three\s+3\. four/);
  });

  test("show what the agent has noted, also after the session is resumed", async () => {
    const todos = [{ content: "write tests", activeForm: "writing tests", status: "pending" }];
    const { screen, run } = openChat([{ blocks: [tool("todo_write", { todos })] }, { blocks: [text("noted")] }]);
    screen.type("note it", "/todos", "/clear", "/todos");
    const { session_id: cleared } = await run();
    expect(cleared).toBeNull();
    expect(screen.text()).toMatch(/\[ \] write tests[\s\S]*The task list is empty/);
    screen.type("/todos");
    const before = screen.text().length;
    await run({ continue: true });
    expect(screen.text().slice(before)).toContain("[ ] write tests");
  });

  test("that are unknown are told with those that are meant, and a path is no command", async () => {
    const { screen, run } = openChat();
    screen.type("/histroy", "/zzzzzz", "/usr/bin is a path");
    await run();
    expect(screen.text()).toContain("Did you mean /history?");
    expect(screen.text()).toContain("/help lists the commands.");
    expect(screen.text()).toContain("/usr/bin is a path\n");
  });

  test("end it, and nothing that was typed behind is done", async () => {
    const { screen, run } = openChat();
    screen.type("/exit", "more");
    expect(await run()).toMatchObject({ turns: 0, session_id: null, effect: "noop" });
    expect(screen.text()).toContain("Ended.");
  });

  test("all do what they say: every one that help lists is handled", async () => {
    const { screen, run } = openChat();
    const words: Readonly<Record<string, string>> = { "add-dir": "made", export: "out.md" };
    screen.type("something", "/help");
    await run();
    const names = [...screen.text().matchAll(/^\/([a-z-]+)/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const before = screen.styled().length;
      screen.type(`/${name} ${words[name] ?? ""}`);
      await run({ continue: true });
      expect([name, screen.styled().slice(before).includes("<red>")]).toEqual([name, false]);
    }
  });
});
