import { spawnSync } from "node:child_process";
import { ClawError, WORD_HINTS } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VERB_SPECS } from "../../verbs/index.ts";
import { calledAs, parseCall } from "./parse-call.ts";

const DEFAULTS = {
  outputFormat: "text",
  envelope: "claw",
  quiet: false,
  verbose: false,
  noColor: false,
  help: false,
  version: false,
};

const parse = (...argv: string[]) => parseCall(argv, "text");

function failureOf(argv: readonly string[], json = false): ClawError {
  try {
    parseCall(argv, json ? "program" : "text");
  } catch (error) {
    if (error instanceof ClawError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a call", () => {
  test("has a verb, its input and the flags of every call, wherever they stand", () => {
    expect(parse("-q", "export", "--session-id", "s1", "out.md", "--cwd=/x", "-y")).toEqual({
      verb: "export",
      command: "export",
      input: {
        path: "out.md",
        sessionId: "s1",
        format: "markdown",
        uncommitted: false,
        yes: true,
        dryRun: false,
      },
      globals: { ...DEFAULTS, quiet: true, cwd: "/x" },
      warnings: [],
    });
  });

  test("may begin with a flag and its value", () => {
    expect(parse("--cwd", "status", "version")).toMatchObject({ verb: "version", globals: { cwd: "status" } });
  });

  test("takes a word that looks like a flag behind two dashes", () => {
    expect(parse("flush-transcript", "--", "--help")).toMatchObject({
      verb: "flush-transcript",
      input: { prompt: "--help" },
    });
  });

  test("with --help explains the verb, whatever else is wrong", () => {
    expect(parse("export", "--help", "--nope", "a", "b")).toEqual({
      verb: "help",
      command: "export",
      input: { topic: "export" },
      globals: { ...DEFAULTS, help: true },
      warnings: [],
    });
  });

  test("of help with -p explains the prompt and asks nobody", () => {
    expect(parse("help", "-p")).toMatchObject({ verb: "help", input: { topic: "prompt" } });
    expect(parse("-q", "help", "--print")).toMatchObject({ verb: "help", input: { topic: "prompt" } });
    expect(parse("help", "-p", "hello").verb).toBe("help");
    expect(parse("-p", "help")).toMatchObject({ verb: "prompt", input: { prompt: "help" } });
  });

  test("without a verb is help, or the version", () => {
    expect([parse().verb, parse("--help").verb, parse("-V").verb, parse("-q").verb]).toEqual([
      "help",
      "help",
      "version",
      "help",
    ]);
    expect(parseCall(["--help"], "program").verb).toBe("help");
  });

  test("without a verb, made by a program, needs a terminal", () => {
    expect(failureOf([], true)).toMatchObject({ code: "INTERACTIVE_ONLY", target: "claw" });
    expect(failureOf(["--model", "scripted"], true)).toMatchObject({ code: "INTERACTIVE_ONLY", target: "claw" });
    expect(failureOf(["--continue"], false)).toMatchObject({ code: "INTERACTIVE_ONLY", target: "claw" });
  });

  test("without a verb on a terminal is a session, with the flags of one", () => {
    expect(parseCall(["--model", "scripted", "-c", "--quiet"], "session")).toMatchObject({
      verb: "chat",
      command: "chat",
      input: { model: "scripted", continue: true },
      globals: { quiet: true },
    });
    expect(parseCall(["--help"], "session").verb).toBe("help");
  });

  test("that is wrong names everything that is wrong with it", () => {
    expect(failureOf(["list-sessions", "extra", "--limit", "0"])).toMatchObject({
      code: "INVALID_FLAG_VALUE",
      message: "--limit must be a whole number from 1 to 10000, not '0'; unexpected argument 'extra'",
      operation: "parse_arguments",
      target: "--limit",
      options: {
        details: {
          value: "0",
          errors: [
            {
              code: "INVALID_FLAG_VALUE",
              param: "--limit",
              message: "--limit must be a whole number from 1 to 10000, not '0'",
              value: "0",
            },
            {
              code: "UNEXPECTED_ARGUMENTS",
              param: "extra",
              message: "unexpected argument 'extra'",
              value: "extra",
            },
          ],
        },
      },
    });
  });

  test("does not take the flag of another verb", () => {
    expect(failureOf(["status", "--limit", "5"])).toMatchObject({ code: "UNKNOWN_OPTION", target: "--limit" });
  });

  test("without a verb does not take the flag of a verb", () => {
    expect(failureOf(["--limit", "5"])).toMatchObject({ code: "UNKNOWN_OPTION", target: "--limit" });
  });
});

describe("a verb of two words", () => {
  test("takes flags before, between and after them, and says both", () => {
    expect(parse("-q", "tasks", "--cwd", "/x", "list", "--status", "blocked")).toEqual({
      verb: "tasks list",
      command: "tasks",
      action: "list",
      input: { status: "blocked" },
      globals: { ...DEFAULTS, quiet: true, cwd: "/x" },
      warnings: [],
    });
  });

  test("is meant by its first word alone where it says so", () => {
    expect(parse("tasks", "--status", "blocked")).toEqual(parse("tasks", "list", "--status", "blocked"));
    expect(calledAs(["tasks", "--nope"])).toEqual({ command: "tasks", action: "list" });
  });

  test("is explained by its words, and its family by the first", () => {
    expect(parse("tasks", "list", "--help")).toMatchObject({
      verb: "help",
      command: "tasks",
      action: "list",
      input: { topic: "tasks", action: "list" },
    });
    expect(parse("tasks", "--help", "--nope")).toMatchObject({ verb: "help", input: { topic: "tasks" } });
    expect(parse("tasks", "--help")).not.toHaveProperty("action");
  });

  test("that the family does not have leads to the nearest, or to all of them", () => {
    expect(failureOf(["tasks", "lst"])).toMatchObject({
      code: "UNKNOWN_COMMAND",
      message: "'tasks lst' is no command of claw",
      target: "tasks lst",
      hint: "Did you mean: claw tasks list?",
    });
    expect(failureOf(["tasks", "explode"]).hint).toMatch(/^Use one of: claw tasks .*\.$/);
    expect(failureOf(["tasks list"]).hint).toMatch(/^Did you mean: claw tasks list[,?]/);
    expect(failureOf(["tasks-list"]).hint).toMatch(/^Did you mean: claw tasks list[,?]/);
  });
});

describe("a word that is no verb", () => {
  test("is refused with the nearest verbs", () => {
    expect(failureOf(["statuz"])).toMatchObject({
      code: "UNKNOWN_COMMAND",
      target: "statuz",
      hint: "Did you mean: claw status?",
      options: { details: { suggestions: ["status"] } },
    });
  });

  test("and is like none is refused with the way to help", () => {
    expect(failureOf(["explain", "this", "code"])).toMatchObject({
      code: "UNKNOWN_COMMAND",
      target: "explain",
      message: "'explain' is no command of claw",
    });
    expect(failureOf(["toString"]).code).toBe("UNKNOWN_COMMAND");
  });

  test.each([
    ["kill", "claw abort stops a worker"],
    ["stop", "claw down stops the daemon"],
    ["start", "claw up starts the daemon"],
    ["login", "claw doctor says which keys and logins claw finds"],
    ["list", "claw ps lists workers"],
    ["delete", "claw delete-session deletes a session"],
  ])("'%s' is answered with the verb that does it", (word, hint) => {
    expect(failureOf([word, "x"])).toMatchObject({
      code: "UNKNOWN_COMMAND",
      hint: expect.stringContaining(hint) as string,
    });
  });

  test("is answered only with verbs that exist", () => {
    const verbs = new Set(VERB_SPECS.map(({ name }) => name));
    expect(Object.keys(WORD_HINTS).filter((word) => verbs.has(word))).toEqual([]);
    const named = Object.values(WORD_HINTS).flatMap((hints) => hints.map(({ verb }) => verb));
    expect(named.filter((verb) => !verbs.has(verb))).toEqual([]);
  });

  test("and is very long is shown in part", () => {
    expect(failureOf(["x".repeat(5000)]).message.length).toBeLessThan(300);
  });
});

describe("a word with a slash", () => {
  test.each([
    [["/compact"], "claw exec-command compact"],
    [["/Add-Dir", "src/a b"], "claw exec-command add-dir 'src/a b'"],
    [["--cwd", "/x", "/add-dir", "a", "b"], "claw exec-command add-dir 'a b'"],
    [["/add-dir", "x".repeat(5000)], "claw exec-command add-dir PROMPT"],
  ])("that is a command of a session leads to how it is executed from here: %j", (argv, command) => {
    const failure = failureOf(argv);
    expect(failure.code).toBe("INTERACTIVE_ONLY");
    expect(failure.hint).toBe(`Run it from here with: ${command}`);
  });

  test("that is none is refused with the nearest", () => {
    expect(failureOf(["/compct", "x"])).toMatchObject({
      code: "UNKNOWN_SLASH_COMMAND",
      target: "/compct",
      hint: "Did you mean /compact?",
      options: { details: { suggestions: ["/compact"] } },
    });
  });

  test.each(["/", "//", "/tmp/file", "/constructor", `/${"x".repeat(5000)}`])("may be anything: %s", (word) => {
    const failure = failureOf([word]);
    expect(failure.code).toBe("UNKNOWN_SLASH_COMMAND");
    expect(failure.hint).toContain("claw command-graph");
    expect(failure.message.length).toBeLessThan(300);
  });
});

describe("an old spelling", () => {
  test.each([
    [["session", "list"], "claw list-sessions"],
    [["session", "show", "s1"], "claw load-session s1"],
    [
      ["--cwd", "/a b", "session", "-q", "delete", "s1", "--dry-run"],
      "claw --cwd '/a b' delete-session -q s1 --dry-run",
    ],
    [["sessions", "--limit=5"], "claw list-sessions --limit=5"],
    [["settings", "it's"], String.raw`claw config 'it'\''s'`],
    [["sessions", ""], "claw list-sessions ''"],
    [["--", "sessions", "--x"], "claw -- list-sessions --x"],
    [["-p", "hi", "--max-budget-usd", "2"], "claw -p hi --budget-usd 2"],
    [["--session", "a b", "export", "--format=json"], "claw --session-id 'a b' export --format=json"],
    [["export", "--session=s"], "claw export --session-id=s"],
    [["wait", "--timeout", "5", "--timeout-ms=1500"], "claw wait --timeout-seconds 5 --timeout-seconds=1.5"],
    [["sessions", "--timeout", "5"], "claw list-sessions --timeout-seconds 5"],
    [["wait", "--timeout-ms"], "claw wait --timeout-seconds"],
  ])("%j leads to the call that replaces it", (argv, command) => {
    expect(failureOf(argv)).toMatchObject({
      code: "COMMAND_RENAMED",
      hint: `Run: ${command}`,
      options: { redirect: { command, permanent: true, reason: "renamed" } },
    });
  });

  test("of a flag is told on a terminal without a verb, too", () => {
    expect(() => parseCall(["--max-budget-usd", "1"], "session")).toThrow("'--max-budget-usd' is now '--budget-usd'");
  });

  test("of a flag is no reason to refuse help, and holds only where the new flag is", () => {
    expect(parse("export", "--session", "s", "--help").verb).toBe("help");
    expect(failureOf(["status", "--session", "s"])).toMatchObject({ code: "UNKNOWN_OPTION", target: "--session" });
    expect(parse("stream-events", "--wait", "c", "--timeout-ms", "5")).toMatchObject({ input: { timeoutMs: 5 } });
  });

  test("leads to a call that a shell reads as it was meant, whatever stands in it", () => {
    const word = fc
      .string({ unit: "binary", maxLength: 12 })
      .filter((text) => !text.includes("\0") && !/\p{Surrogate}/u.test(text) && !text.startsWith("-"));
    const tricky = fc.constantFrom("$(id)", "`id`", "a;b", "a\nb", "*", "~", "'", '"', "\\", "!x", "#", "&&", "=ls");
    const samples = fc.sample(fc.array(fc.oneof(word, tricky), { maxLength: 4 }), 40);
    const commands = samples.map((words) => failureOf(["sessions", ...words]).options.redirect?.command ?? "");
    const script = String.raw`claw() { printf '%s\0' "$@"; printf '\0'; }`;
    const { stdout } = spawnSync("sh", ["-c", [script, ...commands].join("\n")]);
    const expected = samples.map((words) => `${["list-sessions", ...words].join("\0")}\0\0`).join("");
    expect(stdout.equals(Buffer.from(expected))).toBe(true);
  });
});

test("the answer is filed under the first word, however broken the line is", () => {
  const lines = [[], ["--nope"], ["--nope", "x"], ["--cwd", "x", "status"], ["y".repeat(300)], ["--", "--z"]];
  expect(lines.map((argv) => calledAs(argv).command)).toEqual([
    "claw",
    "claw",
    "x",
    "status",
    `${"y".repeat(200)}…`,
    "--z",
  ]);
});
