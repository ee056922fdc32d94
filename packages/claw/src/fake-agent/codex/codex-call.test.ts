import { expect, test } from "vitest";
import { readCodexCall } from "./codex-call.ts";

const read = (...argv: string[]): unknown => readCodexCall(argv, { steps: [] });

test("a command line of codex exec is read with everything our adapter and its users give it", () => {
  const argv = ["exec", "--json", "-o", "/last", "--skip-git-repo-check", "-s", "workspace-write", "-m", "gpt-5.5"];
  expect(read(...argv, "-c", "model_provider=mock", "-")).toEqual({
    form: "exec",
    json: true,
    settings: ["model_provider=mock"],
    prompt: "-",
    threadId: undefined,
    model: "gpt-5.5",
    sandbox: "workspace-write",
    lastMessagePath: "/last",
    unguarded: false,
  });
});

test("a thread is gone on with", () => {
  expect(read("exec", "resume", "--json", "t1", "go on")).toMatchObject({ threadId: "t1", prompt: "go on" });
  expect(read("exec", "resume", "--last", "go on")).toMatchObject({ threadId: undefined, prompt: "go on" });
});

test("the app-server is the other form", () => {
  expect(read("app-server", "-c", "x=1")).toMatchObject({ form: "app-server" });
});

test("what the real one refuses is refused in its words", () => {
  expect(read("exec", "--nonsense")).toMatchObject({
    to: "stderr",
    code: 2,
    text: expect.stringContaining("error: unexpected argument '--nonsense' found") as string,
  });
  expect(read("--version")).toEqual({ to: "stdout", text: "codex-cli 0.166.0\n", code: 0 });
  expect(read("resume")).toMatchObject({ to: "stderr", code: 1 });
});

test("on a terminal, what is no command is a prompt", () => {
  const onTerminal = (...argv: string[]): unknown => readCodexCall(argv, { steps: [] }, true);
  expect(onTerminal("--no-daemon", "-c", 'notify=["tell"]', "clean up")).toMatchObject({
    form: "terminal",
    prompt: "clean up",
    threadId: undefined,
    settings: ['notify=["tell"]'],
  });
  expect(onTerminal("resume", "t1", "--no-alt-screen", "go on")).toMatchObject({ threadId: "t1", prompt: "go on" });
  expect(onTerminal("exec", "--json", "hi")).toMatchObject({ form: "exec" });
});
