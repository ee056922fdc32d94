import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { handler } from "./exec-tool.ts";
import type { Ports } from "../../runtime/handle.ts";
import { createTestPorts } from "../../testing/test-ports.ts";

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder(onTestFinished);
});

/** Settings of the user, who may allow what a folder may not. */
function allow(permissions: Readonly<Record<string, unknown>>): void {
  mkdirSync(join(cwd, "home", ".claw"), { recursive: true });
  writeFileSync(join(cwd, "home", ".claw", "settings.json"), JSON.stringify({ permissions }));
}

interface Person {
  readonly asked: string[];
  readonly ports: Partial<Ports>;
}

function personWho(answers: string | null): Person {
  const asked: string[] = [];
  const ask = async (text: string): Promise<string | null> => {
    asked.push(text);
    return answers;
  };
  return { asked, ports: { terminal: { ask } } };
}

const write = (more: Partial<Ports> = {}, mode?: "read-only" | "workspace-write") => {
  const payload = JSON.stringify({ file_path: "made.txt", content: "made" });
  const input = { name: "Write", payload, dryRun: false, ...(mode === undefined ? {} : { permissionMode: mode }) };
  return handler.run(input, createTestPorts(cwd, more));
};

const made = (): string | null =>
  existsSync(join(cwd, "made.txt")) ? readFileSync(join(cwd, "made.txt"), "utf8") : null;

describe("a call that the mode does not allow", () => {
  test("is made when the person says yes, who is told what it is", async () => {
    const { asked, ports } = personWho(" Yes ");
    expect(await write(ports, "read-only")).toMatchObject({ handled: true, effect: "created" });
    expect(asked).toEqual([expect.stringMatching(/read-only[^]*write_file: made\.txt[^]*\? $/)]);
    expect(made()).toBe("made");
  });

  test.each(["no", "", "yellow", null])("is not made when the person answers %o", async (answer) => {
    await expect(write(personWho(answer).ports, "read-only")).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      target: "write_file",
      options: { partial: { name: "Write", handled: false, effect: "noop" } },
    });
    expect(made()).toBeNull();
  });

  test("is not made when nobody is there", async () => {
    await expect(write({}, "read-only")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(made()).toBeNull();
  });
});

describe("a rule of the settings", () => {
  test("denies what the mode allows, whatever a person says", async () => {
    allow({ deny: ["Write"] });
    const { asked, ports } = personWho("yes");
    await expect(write(ports, "workspace-write")).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      options: { details: { permission_mode: "workspace-write", rule: "Write" } },
    });
    expect(asked).toEqual([]);
    expect(made()).toBeNull();
  });

  test("lets a person be asked", async () => {
    allow({ ask: ["write_file"] });
    await expect(write()).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await write(personWho("y").ports)).toMatchObject({ handled: true });
  });

  test("allows what the mode does not", async () => {
    allow({ allow: ["write_file"] });
    expect(await write({}, "read-only")).toMatchObject({ handled: true });
    expect(made()).toBe("made");
  });
});

test("a file that is there is updated", async () => {
  writeFileSync(join(cwd, "made.txt"), "before");
  expect(await write()).toMatchObject({ name: "Write", canonical_name: "write_file", effect: "updated" });
});

test("a call that was stopped ends with why", async () => {
  const reason = new Error("stopped");
  await expect(write({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(made()).toBeNull();
});

describe("a tool that ran and failed", () => {
  const call = (name: string, payload: string) =>
    handler.run({ name, payload, dryRun: false, permissionMode: "danger-full-access" }, createTestPorts(cwd));

  test("fails the call, with what it said", async () => {
    await expect(call("bash", "echo out; echo err >&2; exit 3")).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "bash failed: exit code 3",
      operation: "run_tool",
      target: "bash",
      options: {
        partial: {
          name: "bash",
          handled: true,
          is_error: true,
          message: "exit code 3",
          output: expect.stringMatching(/out[^]*err/) as string,
          effect: "updated",
        },
      },
    });
  });

  test("has changed nothing when it could not begin its work", async () => {
    await expect(call("read_file", "none.txt")).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringMatching(/^read_file failed: \S/) as string,
      options: { partial: { handled: true, is_error: true, effect: "noop" } },
    });
  });
});

describe("hooks", () => {
  /** Settings of the user with these programs, each a line of shell that may print an answer. */
  function hook(hooks: Readonly<Record<string, string>>): void {
    const entries = Object.entries(hooks).map(([event, command]) => [
      event,
      [{ matcher: "Write", hooks: [{ type: "command", command }] }],
    ]);
    mkdirSync(join(cwd, "home", ".claw"), { recursive: true });
    const settings = { hooks: Object.fromEntries(entries) as object };
    writeFileSync(join(cwd, "home", ".claw", "settings.json"), JSON.stringify(settings));
  }

  test("refuse a call, which is then not made", async () => {
    hook({ PreToolUse: "echo not today >&2; exit 2" });
    await expect(write()).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      message: "not today",
      options: {
        hint: expect.stringContaining("claw config hooks"),
        details: { rule: "hook" },
        partial: { handled: false },
      },
    });
    expect(made()).toBeNull();
  });

  test("change what a tool gets and add to what it says, also to a failure", async () => {
    const updatedInput = { path: "made.txt", content: "changed" };
    const answer = JSON.stringify({ hookSpecificOutput: { updatedInput, additionalContext: "before" } });
    const told = JSON.stringify({ hookSpecificOutput: { additionalContext: "after" } });
    hook({ PreToolUse: `echo '${answer}'`, PostToolUse: `cat > seen.json; echo '${told}'` });
    expect(await write()).toMatchObject({ output: expect.stringMatching(/before\n\nafter$/) as string });
    expect(made()).toBe("changed");
    const seen = JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8")) as Record<string, unknown>;
    expect(seen).toMatchObject({ hook_event_name: "PostToolUse", tool_name: "write_file", tool_input: updatedInput });
  });

  test("are not asked in a dry run, which says so", async () => {
    hook({ PreToolUse: "touch asked" });
    const input = { name: "Write", payload: JSON.stringify({ path: "made.txt", content: "" }), dryRun: true };
    expect(await handler.run(input, createTestPorts(cwd))).toMatchObject({
      message: "it is allowed, and was not done: this is a dry run; hooks were not asked",
    });
    expect(existsSync(join(cwd, "asked"))).toBe(false);
  });
});
