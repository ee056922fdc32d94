import type { RunResult } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { SpawnSpec } from "../harness.ts";
import { expectationOf, play, VECTORS } from "../testing/vectors.ts";

interface Played {
  readonly command: SpawnSpec;
  readonly result: RunResult;
}

const characters = (text: string | null): number => Array.from(text ?? "").length;

/** The reference's stderr lines carry the name of its program; ours carry the name of the verb. */
const diagnosticsAsTold = ({ diagnostics }: RunResult): string[] => diagnostics.map((line) => `claw.run: ${line}`);
const asOurs = (lines: unknown): string[] =>
  (lines as string[]).map((line) => line.replace(/^clauditor\.runner: /, "claw.run: "));

const prefixesOf = (actual: readonly string[], expected: readonly string[]): string[] =>
  actual.map((text, index) => text.slice(0, expected[index]?.length ?? text.length));

/** Follows a path such as `1.item.text.length` into a value. */
const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce((part: unknown, name) => (part as Record<string, unknown>)[name], value);

function expectAt(list: unknown, expected: unknown): void {
  const paths = expected as Record<string, unknown>;
  const actual = Object.fromEntries(Object.keys(paths).map((path) => [path, at(list, path)]));
  expect(actual).toEqual(paths);
}

type Check = (played: Played, expected: unknown) => void;

const sameField =
  (key: string): Check =>
  ({ result }, expected) =>
    expect({ [key]: result[key as keyof RunResult] }).toEqual({ [key]: expected });

/** How each key of a vector is compared; a key that is not here is a field of the result. */
const CHECKS: Readonly<Record<string, Check>> = {
  argv: ({ command }, expected) => {
    const argv = command.argv.slice(1).map((word) => (word === "/w/last-message" ? "*" : word));
    expect(argv).toEqual(expected);
  },
  stdin: ({ command }, expected) => expect(command.stdin).toBe(expected),
  warnings_prefixes: ({ result }, expected) =>
    expect(prefixesOf(result.warnings, expected as string[])).toEqual(expected),
  warnings_exact: ({ result }, expected) => expect(result.warnings).toEqual(expected),
  runner_stderr_exact: ({ result }, expected) => expect(diagnosticsAsTold(result)).toEqual(asOurs(expected)),
  runner_stderr_prefixes: ({ result }, expected) =>
    expect(prefixesOf(diagnosticsAsTold(result), asOurs(expected))).toEqual(asOurs(expected)),
  output_len: ({ result }, expected) => expect(characters(result.output)).toBe(expected),
  error_len: ({ result }, expected) => expect(characters(result.error)).toBe(expected),
  error_suffix: ({ result }, expected) => expect(result.error?.endsWith(expected as string)).toBe(true),
  metadata: ({ result }, expected) => expect(result.metadata).toMatchObject(expected as object),
  metadata_absent: ({ result }, expected) =>
    expect(Object.keys(result.metadata).filter((key) => (expected as string[]).includes(key))).toEqual([]),
  raw_messages_at: ({ result }, expected) => expectAt(result.raw_messages, expected),
  stream_events_at: ({ result }, expected) => expectAt(result.stream_events, expected),
};

describe("vectors of the stream-json contract", () => {
  test.for(VECTORS)("$name", (vector) => {
    const played = play(vector);
    const expectation = expectationOf(vector);
    expect(Object.keys(expectation)).not.toEqual([]);
    for (const [key, expected] of Object.entries(expectation)) {
      const check = CHECKS[key] ?? sameField(key);
      check(played, expected);
    }
  });
});
