import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClawError, createRedactor, LIMITS, MASK } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { groupRuns } from "../../process/testing/group-runs.ts";
import { signalTo } from "../../process/system/process-signals.ts";
import { identify, isRunning } from "../../process/process-identity.ts";
import type { Harness } from "../harness.ts";
import { finish, made, noted, pidIn, play, SAYS, scripted, start } from "../testing/tiny-agents.ts";

describe("a run", () => {
  test("gives the events as they come and the result at the end", async () => {
    const { items, result, ended } = await play(scripted(`${SAYS.init}; ${SAYS.hello}; ${SAYS.result}`));
    expect(items.map(({ native }) => native["type"])).toEqual(["system", "assistant", "result"]);
    expect(result).toMatchObject({
      output: "hello",
      exit_code: 0,
      input_tokens: 3,
      session_id: "s1",
      succeeded_cleanly: true,
      warnings: [],
    });
    expect([ended, result.duration_seconds > 0]).toEqual(["by-itself", true]);
  });

  test("hands a long prompt over on stdin and closes it", async () => {
    const { result } = await play(scripted(`wc -c >&2; exit 3`, { stdin: "p".repeat(300_000) }));
    expect([result.exit_code, result.error]).toEqual([3, "300000\n"]);
    expect(result.warnings.filter((warning) => warning.startsWith("prompt"))).toEqual([]);
  });

  test("has nothing on stdin unless there is something", async () => {
    const { result } = await play(scripted(`cat >&2; echo nothing >&2; exit 1`));
    expect(result.error).toBe("nothing\n");
  });

  test("tells its progress meanwhile", async () => {
    const tiny = await start(scripted(`${SAYS.init}; ${SAYS.hello}; ${noted}; exec sleep 600`));
    await tiny.run.batches.next();
    await made(tiny.cwd, "pid");
    expect(tiny.run.progress()).toMatchObject({ sessionId: "s1", sawResult: false });
    await tiny.run.batches.return(undefined as never);
  });

  test("that nobody reads any more ends, and leaves nothing behind", async () => {
    const folder = temporaryFolder(onTestFinished);
    const harness = scripted(`${noted}; ${SAYS.hello}; trap '' TERM; while :; do sleep 0.05; done`);
    const tiny = await start(harness, { temporaryFolder: folder });
    await tiny.run.batches.next();
    await made(tiny.cwd, "pid");
    await tiny.run.batches.return(undefined as never);
    expect([groupRuns(pidIn(tiny.cwd)), readdirSync(folder)]).toEqual([false, []]);
  });

  test("that was called off before it began does not begin", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const request = { prompt: "", skill: null, model: null, cwd, env: process.env, loggedIn: false, program: null };
    await expect(start(scripted("touch begun"), { request }, AbortSignal.abort(new Error("too late")))).rejects.toThrow(
      "too late",
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.for([
    ["in its group", "sleep 600 & echo $! > left.tmp"],
    ["in a session of its own", "setsid sh -c 'echo $$ > left.tmp; exec sleep 600' > /dev/null 2>&1 &"],
    ["that hears no signal", "sh -c 'trap : TERM; echo $$ > left.tmp; while :; do sleep 0.05; done' &"],
  ])("ends with its process and with what that left behind %s, and says so", async ([, leave]) => {
    const left = `${leave}\nwhile [ ! -s left.tmp ]; do sleep 0.01; done; mv left.tmp left`;
    const run = await play(scripted(`${left}; ${SAYS.hello}; ${SAYS.result}`));
    const pid = pidIn(run.cwd, "left");
    onTestFinished(() => void signalTo(pid, "SIGKILL"));
    expect([run.ended, run.result.output, run.result.warnings, isRunning(identify(pid))]).toEqual([
      "by-itself",
      "hello",
      ["leftover-processes: something the agent started still ran and was ended"],
      false,
    ]);
  });

  test("reads what the agent left in a file when its stream held no message", async () => {
    const harness: Harness = {
      ...scripted(""),
      command: ({ lastMessagePath }) => ({
        argv: ["sh", "-c", `printf 'the last word' > "$1"; ${SAYS.result}`, "sh", lastMessagePath ?? ""],
        stdin: null,
        dialogue: false,
        metadata: {},
        diagnostics: [],
      }),
    };
    expect((await play(harness)).result.output).toBe("the last word");
  });

  test("ended by a signal says which", async () => {
    expect((await play(scripted(`${SAYS.hello}; kill -9 $$`))).result).toMatchObject({
      output: "hello",
      exit_code: -9,
      signal: "SIGKILL",
      error_category: "subprocess",
    });
  });
});

describe("a stream that is too large for memory", () => {
  const LINE = `{"type":"user","message":{"content":[{"type":"tool_result","content":"${"z".repeat(1_000_000)}"}]}}`;

  test("is in a private file that the result names", async () => {
    const folder = temporaryFolder(onTestFinished);
    const cwd = temporaryFolder(onTestFinished);
    writeFileSync(join(cwd, "line"), `${LINE}\n`);
    const request = { prompt: "", skill: null, model: null, cwd, env: process.env, loggedIn: false, program: null };
    const lines = Math.ceil(LIMITS.runEventsBytes / LINE.length) + 3;
    const script = `i=0; while [ $i -lt ${lines} ]; do cat line; i=$((i+1)); done; ${SAYS.result}`;
    const { result } = await play(scripted(script), { request, temporaryFolder: folder });
    const path = result.raw_messages_path ?? "";
    expect([result.raw_messages_count, result.truncated, result.warnings]).toEqual([lines + 1, true, []]);
    expect([dirname(dirname(path)), statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([
      folder,
      0o600,
      0o700,
    ]);
    expect(readFileSync(path, "utf8").split("\n").length).toBe(lines + 2);
  });

  test("of a run that fits leaves no file", async () => {
    const folder = temporaryFolder(onTestFinished);
    await play(scripted(SAYS.hello), { temporaryFolder: folder });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a secret", () => {
  const redactor = createRedactor({ secrets: ["wren-heron-secret"] });

  test("on stderr is masked, also where its beginning was cut off", async () => {
    const long = `i=0; while [ $i -lt 9000 ]; do echo "key=wren-heron-secret" >&2; i=$((i+1)); done; exit 1`;
    const { result } = await play(scripted(long), { redactor });
    expect(result.error).toContain(MASK);
    expect(JSON.stringify(result)).not.toMatch(/wren|heron|secret/);
  });

  test("that comes in pieces of a line is masked", async () => {
    const [before = "", after = ""] = SAYS.hello.slice(6, -1).split("hello");
    const pieces = `printf '${before}wren-her'; sleep 0.1; printf 'on-sec'; sleep 0.1; printf 'ret${after}\n'`;
    const { items, result } = await play(scripted(pieces), { redactor });
    expect([result.output, JSON.stringify([items, result]).includes("heron")]).toEqual([MASK, false]);
  });
});

describe("an agent that cannot be started", () => {
  const failureOf = async (
    harness: Harness,
    cwd = temporaryFolder(onTestFinished),
    folder = temporaryFolder(onTestFinished),
  ): Promise<ClawError> => {
    const request = { prompt: "", skill: null, model: null, cwd, env: process.env, loggedIn: false, program: null };
    const error: unknown = await start(harness, { request, temporaryFolder: folder }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ClawError) return error;
    throw new Error(`it was ${String(error)}`);
  };
  const program = (argv: readonly [string, ...string[]]): Harness => scripted("", { argv });

  test("because it is not there says so, and has a result all the same", async () => {
    const folder = temporaryFolder(onTestFinished);
    const error = await failureOf(program(["claw-has-no-such-agent"]), undefined, folder);
    expect(error).toMatchObject({ code: "HARNESS_NOT_FOUND", target: "claw-has-no-such-agent" });
    expect(error.options.partial?.["result"]).toMatchObject({
      exit_code: -1,
      error: "Claude CLI not found: claw-has-no-such-agent",
      error_category: null,
      succeeded: false,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("because its folder is not there says so", async () => {
    expect(await failureOf(program(["sh", "-c", ":"]), "/nowhere/at/all")).toMatchObject({
      code: "INVALID_CWD",
      target: "/nowhere/at/all",
    });
  });

  test("because the file may not be executed says so", async () => {
    const cwd = temporaryFolder(onTestFinished);
    writeFileSync(join(cwd, "agent"), "#!/bin/sh\n");
    expect(await failureOf(program(["./agent"]), cwd)).toMatchObject({
      code: "HARNESS_NOT_EXECUTABLE",
      target: join(cwd, "agent"),
    });
  });

  test("because its interpreter is missing says so", async () => {
    const cwd = temporaryFolder(onTestFinished);
    writeFileSync(join(cwd, "agent"), "#!/nowhere/at/all\n", { mode: 0o755 });
    const error = await failureOf(program(["./agent"]), cwd);
    expect([error.code, error.message]).toEqual([
      "HARNESS_NOT_EXECUTABLE",
      `Claude CLI cannot be executed: ${join(cwd, "agent")}: its interpreter is missing`,
    ]);
  });
});

test("runs at the same time do not get in each other's way", async () => {
  const folder = temporaryFolder(onTestFinished);
  const script = `sleep 0.1; ${SAYS.hello}; ${SAYS.result}`;
  const tiny = await Promise.all(Array.from({ length: 5 }, () => start(scripted(script), { temporaryFolder: folder })));
  const runs = await Promise.all(tiny.map(finish));
  expect(runs.map(({ result }) => result.output)).toEqual(Array.from({ length: 5 }, () => "hello"));
  expect(readdirSync(folder)).toEqual([]);
});
