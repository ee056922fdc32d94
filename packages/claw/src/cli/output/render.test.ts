import type { Notes, Outcome, Result } from "claw-contract";
import { ClawError, createRedactor, environmentSecrets, MASK } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { AnswerChannel } from "../channel.ts";
import type { RenderOptions } from "./render.ts";
import { render } from "./render.ts";

const SECRET = "hunter2-hunter2";

const outcome = (result: Result, notes: Partial<Notes> = {}): Outcome => ({
  command: "version",
  result,
  notes: { warnings: [], ...notes },
  finishedAt: new Date(0),
  durationMs: 1,
  requestId: "req_1",
  toolVersion: "0.1.0",
});

const VERSION = {
  kind: "version",
  version: "0.1.0",
  node_version: "20.0.0",
  platform: "linux",
  arch: "x64",
  executable_path: "/claw",
};

const data = (notes: Partial<Notes> = {}): Outcome => outcome({ kind: "data", data: VERSION }, notes);

const failed = (
  options: Partial<ConstructorParameters<typeof ClawError>[2]> = {},
  notes: Partial<Notes> = {},
): Outcome =>
  outcome(
    {
      kind: "failure",
      failure: new ClawError("DISK_FULL", "no space", { operation: "write", target: "/x", ...options }),
    },
    notes,
  );

const options = (channel: Partial<AnswerChannel>, more: Partial<RenderOptions> = {}): RenderOptions => ({
  channel: {
    format: "text",
    stream: false,
    formatSource: "default",
    formatRaw: null,
    formatOverridden: [],
    envelope: "claw",
    ...channel,
  },
  redactor: createRedactor({ secrets: [SECRET] }),
  verb: "version",
  quiet: false,
  verbose: false,
  noColor: true,
  env: {},
  ...more,
});

describe("text", () => {
  test("is the verb's own words on stdout", async () => {
    expect(await render(data(), options({}))).toEqual({
      stdout: "claw 0.1.0 (node 20.0.0, linux x64)\n",
      stderr: "",
      exitCode: 0,
    });
  });

  test("has warnings and the way to the next page on stderr, unless it must be quiet", async () => {
    const noted = data({ warnings: ["W: careful"], cursor: "s9", truncated: true });
    const { stderr } = await render(noted, options({}));
    expect(stderr).toBe("warning: W: careful\nMore: add --cursor s9\n");
    expect((await render(noted, options({}, { quiet: true }))).stderr).toBe("");
  });

  test("of a failure is on stderr alone: what happened, and what to do", async () => {
    expect(await render(failed({}, { warnings: ["W"] }), options({}))).toEqual({
      stdout: "",
      stderr: `warning: W\nerror[filesystem_io_error]: no space\nnext: Free some space, then call again; no file was half-written.\n`,
      exitCode: 1,
    });
  });

  test("of a failure exits by its envelope", async () => {
    const exits = await Promise.all(
      (["claw", "flat", "response"] as const).map(
        async (envelope) => (await render(failed(), options({ envelope }))).exitCode,
      ),
    );
    expect(exits).toEqual([1, 1, 12]);
  });

  test("of a failure says more when asked", async () => {
    const cause = Object.assign(new Error("inner"), { stack: "the trace" });
    const { stderr } = await render(failed({ cause }), options({}, { verbose: true }));
    expect(stderr).toContain("DISK_FULL in write /x\nthe trace\n");
  });

  test("of a doctor that found something shows all of its checks", async () => {
    const partial = {
      kind: "doctor",
      status: "fail",
      has_failures: true,
      summary: { total: 1, ok: 0, warnings: 0, failures: 1 },
      checks: [{ id: "node", name: "Node", status: "fail", ok: false, summary: "old", fix: "Update." }],
    };
    const { stdout } = await render(failed({ partial }), options({}, { verb: "doctor" }));
    expect(stdout).toBe("fail  Node  old\n            Update.\n\n1 check, 1 failure\n");
  });

  test("of an answer that is still the same is nothing", async () => {
    expect(await render(outcome({ kind: "not-modified" }), options({}))).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 0,
    });
  });

  test("never shows a secret, wherever it stands", async () => {
    const all = await Promise.all([
      render(outcome({ kind: "data", data: { ...VERSION, version: SECRET } }, { warnings: [SECRET] }), options({})),
      render(outcome({ kind: "not-modified" }, { warnings: [SECRET] }), options({})),
      render(failed({ target: SECRET, hint: SECRET }, { warnings: [SECRET] }), options({}, { verbose: true })),
    ]);
    const shown = all.map(({ stdout, stderr }) => (stdout + stderr).includes(SECRET));
    expect(shown).toEqual([false, false, false]);
  });

  test("has no colours where there is no terminal", async () => {
    const { stdout, stderr } = await render(failed(), options({}, { noColor: false }));
    expect(stdout + stderr).not.toContain("\u001B");
  });
});

describe("JSON", () => {
  test("is one line on stdout and nothing on stderr, whatever happened", async () => {
    for (const given of [
      data({ warnings: ["W"] }),
      failed({}, { warnings: ["W"] }),
      outcome({ kind: "not-modified" }),
    ]) {
      const { stdout, stderr } = await render(given, options({ format: "json" }));
      expect([stdout.split("\n").length, stdout.endsWith("\n"), stderr]).toEqual([2, true, ""]);
      expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    }
  });

  test("carries the exit of the process", async () => {
    const { stdout, exitCode } = await render(failed(), options({ format: "json" }));
    expect([(JSON.parse(stdout) as { exit_code: number }).exit_code, exitCode]).toEqual([1, 1]);
    const response = await render(failed(), options({ format: "json", envelope: "response" }));
    expect([(JSON.parse(response.stdout) as { ok: boolean }).ok, response.exitCode]).toEqual([false, 12]);
  });

  test("never shows a secret and stays JSON", async () => {
    const given = outcome(
      { kind: "data", data: { note: `it is ${SECRET}"`, password: "short" } },
      { warnings: [SECRET] },
    );
    const { stdout } = await render(given, options({ format: "json", envelope: "flat" }));
    expect(JSON.parse(stdout)).toEqual({ note: `it is ${MASK}"`, password: MASK, warnings: [MASK] });
  });
});

test("variables with secret names are secrets", () => {
  const env = { API_KEY: "a", MY_TOKEN: "b", PATH: "/bin", HOME: "/h", DB_PASSWORD: undefined };
  expect(environmentSecrets(env)).toEqual(["a", "b"]);
});
