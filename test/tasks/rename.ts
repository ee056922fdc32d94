import { Puzzled } from "./policy/policy.ts";
import type { Steps } from "./policy/policy.ts";
import { assertChanged, callTool, edit, find, finish, jsonOf, need, runTest } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { testOf, textOf } from "./task.ts";

function* filesWith(name: string): Steps<string[]> {
  const found = jsonOf(yield* callTool("grep_search", { pattern: `\\b${name}\\b` }));
  return need(found["filenames"], "names of files") as string[];
}

function* policy(prompt: string): Steps {
  const from = find(prompt, /Rename (\w+)/);
  const { text } = yield* runTest();
  const to = find(text, /does not provide an export named '(\w+)'/);
  const paths = yield* filesWith(from);
  const edited = yield paths.map((path) => edit(path, [from, to], true));
  for (const [index, path] of paths.entries()) assertChanged(edited[index], path);
  if ((yield* filesWith(from)).length > 0) throw new Puzzled("the old name is still there");
  return yield* finish();
}

export const rename: Task = {
  name: "a name that changes in every file",
  api: "anthropic",
  repository: (words) => {
    const [from, to, value] = [words.word(), words.word(), words.number()];
    const home = `src/${words.word()}.mjs`;
    const users = Array.from({ length: 2 }, () => {
      const [path, name] = [`src/${words.word()}.mjs`, words.word()];
      const source = [`import { ${from} } from "../${home}";`, `export const ${name} = () => ${from}() + ${from}();`];
      return { path, name, source, wrong: 2 * value, right: 2 * value };
    });
    const sources = users.map(({ path, source }) => [path, textOf(...source)]);
    const files = {
      [home]: textOf(`export const ${from} = () => ${value};`),
      ...(Object.fromEntries(sources) as Record<string, string>),
      "test.mjs": testOf([{ path: home, name: to, wrong: value, right: value }, ...users]),
    };
    return { prompt: `Rename ${from} to what the test calls it.`, files };
  },
  policy,
  parallelRounds: [2],
  tools: ["bash", "grep_search", "edit_file"],
};
