import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { putSession, META, refused, runShell, seed, sessionFile, snapshot } from "./provocations.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

describe("flags", () => {
  test.for<[string, string[], string]>([
    ["a flag nobody knows", ["list-sessions", "--frobnicate"], "UNKNOWN_OPTION"],
    ["a short flag nobody knows", ["list-sessions", "-Z"], "UNKNOWN_OPTION"],
    ["a flag of another command", ["version", "--session-id", "x"], "UNKNOWN_OPTION"],
    ["a flag named like a property of every object", ["version", "--__proto__=1"], "UNKNOWN_OPTION"],
    ["a flag without its value", ["list-sessions", "--limit"], "MISSING_FLAG_VALUE"],
    ["a flag whose value is the next flag", ["list-sessions", "--limit", "--quiet"], "MISSING_FLAG_VALUE"],
    ["an empty number", ["list-sessions", "--limit="], "INVALID_FLAG_VALUE"],
    ["a limit of zero", ["list-sessions", "--limit", "0"], "INVALID_FLAG_VALUE"],
    ["a negative limit", ["list-sessions", "--limit", "-1"], "INVALID_FLAG_VALUE"],
    ["a limit that is no whole number", ["list-sessions", "--limit", "1.5"], "INVALID_FLAG_VALUE"],
    ["a limit in another notation", ["list-sessions", "--limit", "0x10"], "INVALID_FLAG_VALUE"],
    ["a limit beyond all numbers", ["list-sessions", "--limit", "9".repeat(400)], "INVALID_FLAG_VALUE"],
    ["an endless time limit", ["version", "--timeout-seconds", "1e999"], "INVALID_FLAG_VALUE"],
    ["a negative time limit", ["version", "--timeout-seconds", "-0.5"], "INVALID_FLAG_VALUE"],
    ["a switch with a strange value", ["version", "--quiet=maybe"], "INVALID_FLAG_VALUE"],
    ["a word outside the list", ["export", "--format", "pdf"], "INVALID_FLAG_VALUE"],
    ["an envelope nobody knows", ["version", "--envelope", "brown"], "INVALID_FLAG_VALUE"],
    ["a key that is too long", ["init", "--idempotency-key", "k".repeat(129)], "INVALID_FLAG_VALUE"],
    ["an empty key", ["init", "--idempotency-key="], "INVALID_FLAG_VALUE"],
    ["an empty cursor", ["list-sessions", "--cursor="], "INVALID_FLAG_VALUE"],
    ["one argument too many", ["load-session", "a", "b"], "UNEXPECTED_ARGUMENTS"],
    ["an argument that is missing", ["delete-session"], "MISSING_ARGUMENT"],
    ["no time at all", ["version", "--timeout-seconds", "0"], "TIMEOUT"],
  ])("%s is refused and changes nothing", async ([, args, code]) => {
    const workspace = createWorkspace();
    const error = await refused(workspace, args);
    expect(error.code).toBe(code);
    expect(snapshot(workspace.cwd)).toEqual({ lasting: {}, transient: [] });
  });

  test("everything wrong with a line is named at once", async () => {
    const error = await refused(createWorkspace(), ["list-sessions", "--limit", "x", "--nope", "extra"]);
    const errors = error["errors"] as { code: string }[];
    expect(errors.map(({ code }) => code).toSorted()).toEqual([
      "INVALID_FLAG_VALUE",
      "UNEXPECTED_ARGUMENTS",
      "UNKNOWN_OPTION",
    ]);
  });

  test("a flag given twice with different values says that the last one holds", async () => {
    const workspace = createWorkspace();
    const body = await clawJson(workspace, ["list-sessions", "--limit", "1", "--limit", "2"]);
    expect(body["warnings"]).toEqual(["DUPLICATE_FLAG: the last --limit holds"]);
    const same = await clawJson(workspace, ["list-sessions", "--limit", "2", "--limit", "2"]);
    expect(same).not.toHaveProperty("warnings");
  });

  test("formats and envelopes are understood in any case", async () => {
    const workspace = createWorkspace();
    const env = { CLAW_OUTPUT_FORMAT: "Json", CLAW_ENVELOPE: "RESPONSE" };
    const { stdout } = await runClaw(workspace, ["version"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    const flagged = await runClaw(workspace, ["version", "--output-format", "JSON", "--envelope", "Flat"], { env });
    expect(JSON.parse(flagged.stdout)).toMatchObject({ kind: "version" });
  });

  test("an unknown format or envelope in the environment is named, not guessed", async () => {
    const workspace = createWorkspace();
    const { stdout, exitCode } = await runClaw(workspace, ["version"], { env: { CLAW_OUTPUT_FORMAT: "yaml" } });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "INVALID_OUTPUT_FORMAT", target: "CLAW_OUTPUT_FORMAT" },
    });
    expect(exitCode).toBe(1);
    const error = await refused(workspace, ["version"], { env: { CLAW_ENVELOPE: "brown" } });
    expect(error).toMatchObject({ code: "INVALID_FLAG_VALUE", target: "CLAW_ENVELOPE" });
  });

  test.for(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "the name %s, which every object knows, is no command, topic, schema or section",
    async (name) => {
      const workspace = createWorkspace();
      expect((await refused(workspace, [name])).code).toBe("UNKNOWN_COMMAND");
      expect((await refused(workspace, ["help", name])).code).toBe("HELP_TOPIC_NOT_FOUND");
      expect((await refused(workspace, ["schema", name])).code).toBe("SCHEMA_NOT_FOUND");
      expect((await refused(workspace, ["config", name])).code).toBe("UNSUPPORTED_CONFIG_SECTION");
    },
  );

  test("the trace of a failure is given by -v as by --verbose", async () => {
    const workspace = createWorkspace();
    const env = { NODE_OPTIONS: "" };
    const long = await runClaw(workspace, ["load-session", "x", "--verbose"], { env });
    const short = await runClaw(workspace, ["load-session", "x", "-v"], { env });
    expect(short.stderr.split("\n").length).toBe(long.stderr.split("\n").length);
  });
});

describe("names of sessions", () => {
  const HOSTILE: readonly [string, string][] = [
    ["a path upwards", "../../etc/passwd"],
    ["an absolute path", "/etc/passwd"],
    ["an absolute path with the right ending", "/etc/passwd.jsonl"],
    ["a path upwards from the sessions folder", ".claw/sessions/../../../etc/passwd.jsonl"],
    ["an escaped path", "%2e%2e%2fetc%2fpasswd"],
    ["a name with a slash", "a/b"],
    ["a dot", "."],
    ["two dots", ".."],
    ["a hidden name", ".hidden"],
    ["300 characters", "x".repeat(300)],
    ["a control byte", "a\u0001b"],
    ["an escape code", "\u001B[31mred"],
    ["a replacement character", "a\uFFFDb"],
    ["an emoji", "\u{1F980}"],
    ["a letter beyond ASCII", "séance"],
    ["a line end", "a\nb"],
    ["a space", "a b"],
    ["a backslash", String.raw`a\b`],
  ];

  test.for(HOSTILE)("%s is refused by every command that takes an id", async ([, id]) => {
    const workspace = createWorkspace();
    await seed(workspace, "kept");
    const before = snapshot(workspace.cwd);
    const calls = [
      ["load-session", id],
      ["delete-session", id],
      ["flush-transcript", "hello", "--session-id", id],
      ["export", "--session-id", id],
    ];
    const codes = await Promise.all(calls.map(async (args) => (await refused(workspace, args)).code));
    expect(new Set(codes)).toEqual(new Set(["INVALID_SESSION_ID"]));
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test("an empty name and one beyond all measure are refused as values", async () => {
    const workspace = createWorkspace();
    expect((await refused(workspace, ["load-session", ""])).code).toBe("INVALID_FLAG_VALUE");
    const error = await refused(workspace, ["load-session", "x".repeat(5000)]);
    expect(error.code).toBe("INVALID_FLAG_VALUE");
    expect(error.message.length).toBeLessThan(500);
  });

  test("a name with a leading dash can be given behind -- and is refused as a name, not as a flag", async () => {
    const workspace = createWorkspace();
    const { stdout } = await runClaw(workspace, ["load-session", "--output-format", "json", "--", "-rf"]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "INVALID_SESSION_ID", target: "-rf" } });
  });

  test("a name that is no UTF-8 is refused as such", async () => {
    const script = String.raw`claw load-session "$(printf 'a\377b')" --output-format json`;
    const { stdout, stderr } = await runShell(createWorkspace(), script);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "INVALID_SESSION_ID" } });
  });

  test("control characters of a name never reach a terminal raw", async () => {
    const workspace = createWorkspace();
    putSession(workspace, "\u001B[2Jevil", `${META}\n`);
    const listed = await runClaw(workspace, ["list-sessions"]);
    const asked = await runClaw(workspace, ["load-session", "\u001B[2Jevil"]);
    expect(listed.stderr + asked.stderr).toContain("evil");
    expect((listed.stdout + listed.stderr + asked.stderr).includes("\u001B")).toBe(false);
  });
});

describe("size", () => {
  test("a prompt of 120 KB is stored whole", async () => {
    const workspace = createWorkspace();
    const prompt = "ä".repeat(60_000);
    await clawJson(workspace, ["flush-transcript", prompt, "--session-id", "long"]);
    const body = await clawJson(workspace, ["export", "--session-id", "long", "--format", "json"]);
    expect(JSON.stringify(body["transcript"])).toContain(prompt);
  });

  test("a megabyte of arguments gets a short answer", async () => {
    const workspace = createWorkspace();
    const words = Array.from({ length: 10 }, (_, index) => String(index).repeat(100_000));
    const error = await refused(workspace, ["flush-transcript", ...words]);
    expect(error.code).toBe("UNEXPECTED_ARGUMENTS");
    expect(JSON.stringify(error).length).toBeLessThan(20_000);
    const flat = await flatJson(workspace, ["x".repeat(100_000)]);
    expect(flat).toMatchObject({ code: "UNKNOWN_COMMAND" });
    expect(JSON.stringify(flat).length).toBeLessThan(5000);
    const { error: section } = await responseJson(workspace, ["config", "y".repeat(100_000)]);
    expect(JSON.stringify(section).length).toBeLessThan(5000);
  });

  test("a prompt that is only white space or empty is no prompt", async () => {
    const workspace = createWorkspace();
    const error = await refused(workspace, ["flush-transcript", ""]);
    expect(error.code).toBe("MISSING_PROMPT");
    expect(snapshot(workspace.cwd).lasting).toEqual({});
  });

  test("a prompt of odd characters comes back as it was", async () => {
    const workspace = createWorkspace();
    const prompt = 'line\nend\r\n\t"quoted" \\ \u0001 \u2028 \u{1F980} {"type":"turn_commit"}';
    await clawJson(workspace, ["flush-transcript", prompt, "--session-id", "odd"]);
    const lines = readFileSync(sessionFile(workspace, "odd"), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ message: { blocks: [{ text: prompt }] } });
  });

  test("a full standard input is not waited for", async () => {
    const ended = await runClaw(createWorkspace(), ["version", "--output-format", "json"], {
      stdin: "y\n".repeat(500_000),
    });
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
