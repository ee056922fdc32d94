import type { Steps } from "./policy/policy.ts";
import { assertChanged, definitionOf, edit, findFailures, finish, matchesIn, need } from "./policy/steps.ts";
import { lineWith, pageIn } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

/** Takes what came back for what was asked for: a result of another file is not noticed before the edit. */
function* policy(): Steps {
  const failures = yield* findFailures();
  const found = yield failures.map(({ name }) => definitionOf(name));
  const paths = found.map((result) => need(matchesIn(result)[0], "a definition").path);
  const read = yield paths.map((path) => ({ name: "read_file", input: { path } }));
  const texts = read.map((result) => pageIn(result).content);
  const edits = failures.map(({ expected }, index) => {
    const line = lineWith(need(texts[index], "a text"), "export const");
    return edit(need(paths[index], "a path"), [line, line.replace(/\d+;/, `${expected};`)]);
  });
  const edited = yield edits;
  for (const [index, path] of paths.entries()) assertChanged(edited[index], path);
  return yield* finish();
}

export const twoFiles: Task = {
  name: "bugs in two files that are read at once",
  api: "openai",
  repository: (words) => {
    const cases = [createCase(words), createCase(words)];
    const sources = cases.map((broken) => [broken.path, textOf(definition(broken))]);
    return { prompt: ASKED, files: { ...Object.fromEntries(sources), "test.mjs": testOf(cases) } };
  },
  policy,
  parallelRounds: [1, 2, 3],
  tools: ["bash", "grep_search", "read_file", "edit_file"],
};
