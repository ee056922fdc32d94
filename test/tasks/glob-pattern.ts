import type { Steps } from "./policy/policy.ts";
import { callTool, findFailures, finish, jsonOf, lineWith, mendLine, need, readFile } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

function* policy(): Steps {
  const [failure] = yield* findFailures();
  const found = jsonOf(yield* callTool("glob_search", { pattern: `**/${failure.name}.*` }));
  const [path] = need(found["filenames"], "names of files") as string[];
  const file = need(path, "a file");
  yield* mendLine(file, lineWith(yield* readFile(file), failure.actual), failure);
  return yield* finish();
}

export const globPattern: Task = {
  name: "a file that is found by its name",
  api: "anthropic",
  repository: (words) => {
    const cases = Array.from({ length: 3 }, () => {
      const some = createCase(words);
      return { ...some, path: `data/${words.word()}/${words.word()}/${some.name}.table.mjs` };
    });
    const tested = cases.map((one, index) => (index === 1 ? one : { ...one, right: one.wrong }));
    const sources = cases.map((one) => [one.path, textOf(definition(one))]);
    return { prompt: ASKED, files: { ...Object.fromEntries(sources), "test.mjs": testOf(tested) } };
  },
  policy,
  tools: ["bash", "glob_search", "read_file", "edit_file"],
};
