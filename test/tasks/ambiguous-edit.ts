import type { Steps } from "./policy/policy.ts";
import { assertChanged, callTool, edit, editFile, findDefinition, findFailures, finish } from "./policy/steps.ts";
import { lineWith, readFile } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, testOf, textOf } from "./task.ts";

const IS_AMBIGUOUS = /is in the file \d+ times/;

function* policy(): Steps {
  const [{ name, expected, actual }] = yield* findFailures();
  const { path } = yield* findDefinition(name);
  const text = yield* readFile(path);
  const [head, line] = [lineWith(text, name), lineWith(text, `return ${actual};`)];
  const mended = line.replace(actual, expected);
  const { input } = edit(path, [line, mended]);
  const first = yield* callTool("edit_file", input);
  if (IS_AMBIGUOUS.test(first.output)) yield* editFile(path, [`${head}\n${line}`, `${head}\n${mended}`]);
  else assertChanged(first, path);
  return yield* finish();
}

export const ambiguousEdit: Task = {
  name: "an edit that is refused until it says which place it means",
  api: "anthropic",
  repository: (words) => {
    const [path, wrong] = [`src/${words.word()}.mjs`, words.number()];
    const cases = Array.from({ length: 3 }, () => ({ path, name: words.word(), wrong, right: wrong }));
    const broken = words.below(cases.length);
    const source = cases.flatMap(({ name }) => [`export function ${name}() {`, `  return ${wrong};`, "}"]);
    const right = words.number();
    const tested = cases.map((one, index) => (index === broken ? { ...one, right } : one));
    return { prompt: ASKED, files: { [path]: textOf(...source), "test.mjs": testOf(tested) } };
  },
  policy,
  tools: ["bash", "grep_search", "read_file", "edit_file"],
};
