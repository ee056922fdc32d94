import type { Steps } from "./policy/policy.ts";
import { assertChanged, callTool, find, finish, readFile, runTest } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, testOf, textOf } from "./task.ts";

function* policy(): Steps {
  const { text } = yield* runTest();
  const missing = find(text, /Cannot find module '([^']+)'/);
  const wanting = find(text, /imported from (\S+)/);
  const wanted = yield* readFile(wanting);
  const name = find(wanted, /import \{ (\w+) \} from "\.\//);
  const value = find(wanted, new RegExp(`${name}\\(\\), (\\d+)`));
  const content = textOf(`export const ${name} = () => ${value};`);
  const written = yield* callTool("write_file", { path: missing, content });
  assertChanged(written, missing);
  return yield* finish();
}

export const newFile: Task = {
  name: "a module that has to be written",
  api: "openai",
  repository: (words) => {
    const missing = createCase(words);
    return { prompt: ASKED, files: { "README.md": textOf(`# ${words.word()}`), "test.mjs": testOf([missing]) } };
  },
  policy,
  tools: ["bash", "read_file", "write_file"],
};
