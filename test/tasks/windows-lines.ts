import type { Steps } from "./policy/policy.ts";
import { editFile, findDefinition, findFailures, finish, lineWith, readFile } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, testOf, textOf } from "./task.ts";

/** Changes two lines at once; they come without the ends they have in the file. */
function* policy(): Steps {
  const [{ name }] = yield* findFailures();
  const { path } = yield* findDefinition(name);
  const text = yield* readFile(path);
  const [before, loop] = [lineWith(text, "let "), lineWith(text, "for (")];
  const mended = loop.replace("at = 1;", "at = 0;").replace(".length - 1;", ".length;");
  yield* editFile(path, [`${before}\n${loop}`, `${before}\n${mended}`]);
  return yield* finish();
}

const ENDS =
  'test("ends", () => assert.doesNotMatch(readFileSync(new URL(SOURCE, import.meta.url), "utf8"), /[^\\r]\\n/));';

export const windowsLines: Task = {
  name: "an off-by-one in a file with Windows line ends",
  api: "openai",
  repository: (words) => {
    const [path, name, sum] = [`lib/${words.word()}.mjs`, words.word(), words.word()];
    const [first, less] = words.below(2) === 0 ? ["1", ""] : ["0", " - 1"];
    const items = [words.number(), words.number(), words.number()];
    const source = textOf(
      `export function ${name}(items = ${JSON.stringify(items)}) {`,
      `  let ${sum} = 0;`,
      `  for (let at = ${first}; at < items.length${less}; at += 1) ${sum} += items[at];`,
      `  return ${sum};`,
      "}",
    );
    const right = items.reduce((total, item) => total + item);
    const ends = ['import { readFileSync } from "node:fs";', `const SOURCE = "./${path}";`, ENDS];
    const files = {
      [path]: source.replaceAll("\n", "\r\n"),
      "test.mjs": testOf([{ path, name, wrong: 0, right }], ...ends),
    };
    return { prompt: ASKED, files };
  },
  policy,
  tools: ["bash", "grep_search", "read_file", "edit_file"],
  manner: "stream-json",
};
