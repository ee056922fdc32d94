import type { Steps } from "./policy/policy.ts";
import { editFile, find, findDefinition, finish, lineWith, readFile, runTest } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

function* policy(): Steps {
  const { text } = yield* runTest();
  const name = find(text, /does not provide an export named '(\w+)'/);
  const { path } = yield* findDefinition(name);
  const line = lineWith(yield* readFile(path), `const ${name}`);
  yield* editFile(path, [line, `export ${line}`]);
  return yield* finish();
}

export const missingExport: Task = {
  name: "an export that is missing",
  api: "anthropic",
  repository: (words) => {
    const [hidden, other] = [createCase(words), createCase(words)];
    const lines = [definition(other), definition(hidden).replace("export ", "")];
    const files = {
      [hidden.path]: textOf(...lines),
      "test.mjs": testOf([
        { ...hidden, right: hidden.wrong },
        { ...other, path: hidden.path, right: other.wrong },
      ]),
    };
    return { prompt: ASKED, files };
  },
  policy,
  tools: ["bash", "grep_search", "read_file", "edit_file"],
};
