import type { Api } from "../e2e/agent-scene.ts";
import type { Policy } from "./policy/policy.ts";
import { TEST_COMMAND } from "./policy/test-run.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A tiny repository whose test fails, and what is asked of the agent. */
export interface Repository {
  readonly prompt: string;
  /** Texts by paths; `test.mjs` is the test. */
  readonly files: Readonly<Record<string, string>>;
}

/** Work for the agent, and a model that knows how to go about it but nothing of the repository. */
export interface Task {
  readonly name: string;
  readonly api: Api;
  repository(words: Vocabulary): Repository;
  readonly policy: Policy;
  /** The policy of sub-agents whose prompt holds this text. */
  readonly delegate?: { readonly prompt: string; readonly policy: Policy };
  /** Tools that the work takes, in the order in which they first come. */
  readonly tools: readonly string[];
  /** Rounds in which several tools are called at once, counted from 0. */
  readonly parallelRounds?: readonly number[];
  /** How the agent is run; in JSON, to its end, unless given. */
  readonly manner?: "stream-json" | "interrupted";
}

export const ASKED = `\`${TEST_COMMAND}\` fails. Mend what it tests.`;

export const textOf = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** A function that gives a value, and the value it should give. */
export interface Case {
  readonly path: string;
  readonly name: string;
  /** What it gives, and what it should give, as they are written in JavaScript. */
  readonly wrong: number | string;
  readonly right: number | string;
}

export const createCase = (words: Vocabulary): Case => ({
  path: `src/${words.word()}.mjs`,
  name: words.word(),
  wrong: words.number(),
  right: words.number(),
});

export const definition = ({ name, wrong }: Case): string => `export const ${name} = () => ${wrong};`;

/** A test of functions, one each. */
export const testOf = (cases: readonly Case[], ...more: readonly string[]): string =>
  textOf(
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    ...cases.map(({ path, name }) => `import { ${name} } from "./${path}";`),
    ...cases.map(({ name, right }) => `test("${name}", () => assert.equal(${name}(), ${right}));`),
    ...more,
  );
