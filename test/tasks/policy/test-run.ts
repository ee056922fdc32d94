/** The test of every repository; the reporter is named since the default depends on the version of Node. */
export const TEST_COMMAND = "node --test-reporter=tap test.mjs";

/** A test that failed, with what it wanted and got where it compared values. */
export interface Failure {
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
}

/** What a run of the test has shown. */
export interface TestRun {
  readonly passed: boolean;
  readonly failures: readonly Failure[];
  /** Everything it printed, errors behind the rest. */
  readonly text: string;
  /** The file with all of it, when it was too much to be shown. */
  readonly wholeAt: string | null;
}

const field = (block: string, name: string): string =>
  new RegExp(`^\\s*${name}: '?(.*?)'?$`, "m").exec(block)?.[1] ?? "";

/** The tests that failed, out of TAP. */
export function failuresIn(text: string): Failure[] {
  return text.split(/^(?=(?:not )?ok \d+ - )/m).flatMap((block) => {
    const name = /^not ok \d+ - (.+)$/m.exec(block)?.[1];
    return name === undefined ? [] : [{ name, expected: field(block, "expected"), actual: field(block, "actual") }];
  });
}

/** It is not enough that nothing failed: something has to have been tested. */
export const hasPassed = (text: string, exitCode: unknown): boolean =>
  exitCode === 0 && /^# pass [1-9]/m.test(text) && /^# fail 0$/m.test(text);
