import { isDeepStrictEqual } from "node:util";
import { Puzzled } from "./policy/policy.ts";
import type { Steps } from "./policy/policy.ts";
import { callTool, findDefinition, findFailures, finish, jsonOf, mendLine } from "./policy/steps.ts";
import type { Failure } from "./policy/test-run.ts";
import type { Task } from "./task.ts";
import { ASKED, createCase, definition, testOf, textOf } from "./task.ts";

const listOf = (failures: readonly Failure[], done: number) =>
  failures.map(({ name }, index) => ({
    content: `Mend ${name}`,
    activeForm: `Mending ${name}`,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  }));

/** Writes the list and sees to it that the one before was kept. */
function* noteDown(failures: readonly Failure[], done: number): Steps<void> {
  const todos = listOf(failures, done);
  const { oldTodos, newTodos } = jsonOf(yield* callTool("todo_write", { todos }));
  const before = done === 0 ? [] : listOf(failures, done - 1);
  if (!isDeepStrictEqual([oldTodos, newTodos], [before, todos])) throw new Puzzled("the list was lost");
}

function* policy(): Steps {
  const failures = yield* findFailures();
  for (const [done, failure] of failures.entries()) {
    yield* noteDown(failures, done);
    const { path, line } = yield* findDefinition(failure.name);
    yield* mendLine(path, line, failure);
  }
  yield* noteDown(failures, failures.length);
  return yield* finish();
}

export const todoList: Task = {
  name: "several bugs, noted down and mended one by one",
  api: "anthropic",
  repository: (words) => {
    const cases = [createCase(words), createCase(words)];
    const sources = cases.map((broken) => [broken.path, textOf(definition(broken))]);
    return { prompt: ASKED, files: { ...Object.fromEntries(sources), "test.mjs": testOf(cases) } };
  },
  policy,
  tools: ["bash", "todo_write", "grep_search", "edit_file"],
};
