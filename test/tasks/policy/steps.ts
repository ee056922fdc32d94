import type { JsonObject } from "claw-contract";
import type { ToolResult } from "../../model-server/conversation.ts";
import type { Call, Steps } from "./policy.ts";
import { DONE, Puzzled } from "./policy.ts";
import type { Failure, TestRun } from "./test-run.ts";
import { failuresIn, hasPassed, TEST_COMMAND } from "./test-run.ts";

/** What is to be there. */
export function need<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Puzzled(`${what} is missing`);
  return value;
}

/** The first group of an expression in a text. */
export const find = (text: string, pattern: RegExp): string => need(pattern.exec(text)?.[1], String(pattern));

/** Calls one tool. */
export function* callTool(name: string, input: JsonObject): Steps<ToolResult> {
  const [result] = yield [{ name, input }];
  return need(result, `the result of ${name}`);
}

/** What a tool said in JSON; what tools refuse, they refuse in plain words. */
export function jsonOf({ output, name }: ToolResult): JsonObject {
  if (!output.startsWith("{")) throw new Puzzled(`${name} said: ${output}`);
  return JSON.parse(output) as JsonObject;
}

/** Runs the repository's test. */
export function* runTest(): Steps<TestRun> {
  const said = jsonOf(yield* callTool("bash", { command: TEST_COMMAND }));
  const text = `${need(said["stdout"], "stdout") as string}\n${said["stderr"] as string}`;
  const wholeAt = said["persistedOutputPath"] as string | null;
  return { passed: hasPassed(text, said["exitCode"]), failures: failuresIn(text), text, wholeAt };
}

/** Runs the test to see what is wrong. */
export function* findFailures(): Steps<[Failure, ...Failure[]]> {
  const { failures } = yield* runTest();
  const [first, ...others] = failures;
  return [need(first, "a test that fails"), ...others];
}

/** Runs the test to see that nothing is wrong any more. */
export function* finish(): Steps {
  const { passed, failures } = yield* runTest();
  if (!passed) throw new Puzzled(`it still fails: ${failures.map(({ name }) => name).join(", ")}`);
  return `${DONE}the test passes.`;
}

/** A line that was found in a file. */
export interface Match {
  readonly path: string;
  readonly line: string;
}

/** The lines of what grep_search gave. */
export function matchesIn(result: ToolResult): Match[] {
  const content = need(jsonOf(result)["content"], "content") as string;
  return content.split("\n").flatMap((row) => {
    const [, path, line] = /^([^:]+):\d+:(.*)$/.exec(row) ?? [];
    return path === undefined || line === undefined ? [] : [{ path, line }];
  });
}

export const definitionOf = (name: string): Call => ({
  name: "grep_search",
  input: { pattern: `^(export )?(const|function) ${name}\\b`, output_mode: "content" },
});

/** Looks for the line that defines a name. */
export function* findDefinition(name: string): Steps<Match> {
  const [result] = yield [definitionOf(name)];
  return need(matchesIn(need(result, "the result of a search"))[0], `the definition of ${name}`);
}

/** What read_file gave. */
export interface Page {
  readonly filePath: string;
  readonly content: string;
  readonly startLine: number;
  readonly totalLines: number;
}

/** What read_file gave, whatever file it is of. */
export const pageIn = (result: ToolResult): Page => need(jsonOf(result)["file"], "a file") as Page;

/** Reads a file, and sees to it that it is the one that was asked for. */
export function* readPage(path: string, lines: { readonly offset?: number; readonly limit?: number }): Steps<Page> {
  const page = pageIn(yield* callTool("read_file", { path, ...lines }));
  const isMeant = page.filePath.endsWith(path) && page.startLine === (lines.offset ?? 0) + 1;
  if (!isMeant) throw new Puzzled(`that was not what is asked for of ${path}`);
  return page;
}

export function* readFile(path: string): Steps {
  return (yield* readPage(path, {})).content;
}

/** A line of a text, exactly as it stands there. */
export const lineWith = (text: string, part: string): string =>
  need(
    text.split("\n").find((line) => line.includes(part)),
    `a line with ${part}`,
  );

export const edit = (path: string, [from, to]: readonly [from: string, to: string], all = false): Call => ({
  name: "edit_file",
  input: { path, old_string: from, new_string: to, ...(all ? { replace_all: true } : {}) },
});

/** Sees to it that a file was changed, and that it was the one that was meant. */
export function assertChanged(result: ToolResult | undefined, path: string): void {
  const said = jsonOf(need(result, "the result of a change"));
  const hasChange = "structuredPatch" in said && String(said["filePath"]).endsWith(path);
  if (!hasChange) throw new Puzzled(`${path} was not changed`);
}

export function* editFile(path: string, change: readonly [from: string, to: string]): Steps<void> {
  const [result] = yield [edit(path, change)];
  assertChanged(result, path);
}

/** Puts what a test wanted in the place of what it got. */
export function* mendLine(path: string, line: string, { actual, expected }: Failure): Steps<void> {
  yield* editFile(path, [line, line.replace(need(actual || null, "a value"), () => expected)]);
}
