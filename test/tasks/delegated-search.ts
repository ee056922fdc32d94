import type { Steps } from "./policy/policy.ts";
import { callTool, find, findDefinition, findFailures, finish, mendLine } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

const SEARCH = "Say where this is defined:";

function* policy(): Steps {
  const [failure] = yield* findFailures();
  const { output: report } = yield* callTool("agent", { prompt: `${SEARCH} ${failure.name}` });
  const [path, line] = [find(report, /^In (\S+): /), find(report, /: (.*)$/)];
  yield* mendLine(path, line, failure);
  return yield* finish();
}

function* searching(prompt: string): Steps {
  const { path, line } = yield* findDefinition(find(prompt, new RegExp(`${SEARCH} (\\w+)`)));
  return `In ${path}: ${line}`;
}

export const delegatedSearch: Task = {
  name: "a search that a sub-agent does",
  api: "openai",
  repository: (words) => {
    const [broken, sound] = [createCase(words), createCase(words)];
    const files = {
      [broken.path]: textOf(definition(broken)),
      [sound.path]: textOf(definition(sound)),
      "test.mjs": testOf([broken]),
    };
    return { prompt: ASKED, files };
  },
  policy,
  delegate: { prompt: SEARCH, policy: searching },
  tools: ["bash", "agent", "edit_file"],
};
