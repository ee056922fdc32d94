import type { Steps } from "./policy/policy.ts";
import { findDefinition, findFailures, finish, lineWith, mendLine, readFile } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

function* policy(): Steps {
  const [failure] = yield* findFailures();
  const { path } = yield* findDefinition(failure.name);
  const line = lineWith(yield* readFile(path), `${failure.name} =`);
  yield* mendLine(path, line, failure);
  return yield* finish();
}

/** One function of two gives the wrong value. */
export const oneLine: Task = {
  name: "a bug in one line",
  api: "anthropic",
  repository: (words) => {
    const [broken, sound] = [createCase(words), createCase(words)];
    const files = {
      [broken.path]: textOf(definition(broken)),
      [sound.path]: textOf(definition(sound)),
      "test.mjs": testOf([broken, { ...sound, right: sound.wrong }]),
    };
    return { prompt: ASKED, files };
  },
  policy,
  tools: ["bash", "grep_search", "read_file", "edit_file"],
};

/** The same work, in two runs: the second knows what the first has read only from the session. */
export const interrupted: Task = {
  name: "a run that ended at its limit and is gone on with",
  api: "anthropic",
  repository: (words) => {
    const { path, name } = createCase(words);
    const broken = { path, name, wrong: `"${words.word()}"`, right: `"${words.word()}"` };
    return { prompt: ASKED, files: { [path]: textOf(definition(broken)), "test.mjs": testOf([broken]) } };
  },
  policy,
  tools: oneLine.tools,
  manner: "interrupted",
};
