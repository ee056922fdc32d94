import { expect, test } from "vitest";
import { readGitConfig } from "./git-named-files.ts";

test.each<[text: string, settings: Record<string, string>]>([
  ["[core]\n\tbare = false\n", { "core.bare": "false" }],
  ["\uFEFF[Core] HooksPath=.hooks ; ours\r\n", { "core.hookspath": ".hooks" }],
  ['[includeIf "gitdir:~/a \\"b\\"/"]\npath = "x # y" # z\n', { 'includeif.gitdir:~/a "b"/.path': "x # y" }],
  ["[filter.Old]\n\tclean = a \\\n  b\n", { "filter.old.clean": "a   b" }],
  ['[alias]\n\tx = "!sh -c \\"a\\tb\\"  "  \n', { "alias.x": '!sh -c "a\tb"  ' }],
  ["[core]\n\tfsmonitor\n", { "core.fsmonitor": "true" }],
  ["stray = 1\n[]\n[a\n= 2\n# c = 3\n", {}],
])("settings of git are read as git reads them: %j", (text, settings) => {
  expect(Object.fromEntries(readGitConfig(text).map(({ name, value }) => [name, value]))).toEqual(settings);
});
