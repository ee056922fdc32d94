import type { Steps } from "./policy/policy.ts";
import { editFile, find, findFailures, finish, lineWith, mendLine, readFile, runTest } from "./policy/steps.ts";
import type { Task } from "./task.ts";
import { ASKED, testOf, textOf } from "./task.ts";

/** What is wrong with a value shows only when the file can be read at all. */
function* policy(): Steps {
  const { text } = yield* runTest();
  const path = find(text, /([\w/]+\.json) is no JSON/);
  const last = find(yield* readFile(path), /(,\s*\})/);
  yield* editFile(path, [last, last.slice(1)]);
  const [failure] = yield* findFailures();
  yield* mendLine(path, lineWith(yield* readFile(path), `"${failure.name}"`), failure);
  return yield* finish();
}

export const configFile: Task = {
  name: "a configuration that is no JSON and has a wrong value",
  api: "openai",
  repository: (words) => {
    const [path, name, other] = [`config/${words.word()}.json`, words.word(), words.word()];
    const read = [
      'import { readFileSync } from "node:fs";',
      "const read = () => {",
      `  const text = readFileSync(new URL("./${path}", import.meta.url), "utf8");`,
      `  try { return JSON.parse(text); } catch { throw new Error("${path} is no JSON"); }`,
      "};",
      `test("${name}", () => assert.equal(read()["${name}"], ${words.number()}));`,
    ];
    const files = {
      [path]: textOf("{", `  "${name}": ${words.number()},`, `  "${other}": ${words.number()},`, "}"),
      "test.mjs": testOf([], ...read),
    };
    return { prompt: ASKED, files };
  },
  policy,
  tools: ["bash", "read_file", "edit_file"],
};
