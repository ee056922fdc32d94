import type { Steps } from "./policy/policy.ts";
import { Puzzled } from "./policy/policy.ts";
import { findDefinition, finish, mendLine, need, readPage, runTest } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

const PAGE_LINES = 1000;
const CLUE = /^(\w+) gives (\d+) but should give (\d+)$/m;

/** Reads a file page by page up to the one that says what is wrong. */
function* findClue(path: string): Steps<RegExpExecArray> {
  for (let offset = 0; ; offset += PAGE_LINES) {
    const { content, totalLines } = yield* readPage(path, { offset, limit: PAGE_LINES });
    const clue = CLUE.exec(content);
    if (clue !== null) return clue;
    if (offset + PAGE_LINES >= totalLines) throw new Puzzled("the whole output does not say what is wrong");
  }
}

function* policy(): Steps {
  const { text, wholeAt } = yield* runTest();
  if (CLUE.test(text)) throw new Puzzled("nothing was left out");
  const [, name = "", actual = "", expected = ""] = yield* findClue(need(wholeAt, "the whole output"));
  const { path, line } = yield* findDefinition(name);
  yield* mendLine(path, line, { name, actual, expected });
  return yield* finish();
}

const LINES = 4000;

export const longOutput: Task = {
  name: "a clue in an output that is too long to be shown",
  api: "openai",
  repository: (words) => {
    const broken = createCase(words);
    const { path, name, wrong, right } = broken;
    const at = PAGE_LINES + words.below(LINES - 2 * PAGE_LINES);
    const more = [
      `import { ${name} } from "./${path}";`,
      `const isRight = ${name}() === ${right};`,
      `const clue = isRight ? "fine" : "${name} gives ${wrong} but should give ${right}";`,
      `for (let line = 0; line < ${LINES}; line += 1) console.log(line === ${at} ? clue : \`traced step \${line}\`);`,
      'test("trace", () => assert.ok(isRight, "look at the trace"));',
    ];
    return { prompt: ASKED, files: { [path]: textOf(definition(broken)), "test.mjs": testOf([], ...more) } };
  },
  policy,
  tools: ["bash", "read_file", "grep_search", "edit_file"],
};
