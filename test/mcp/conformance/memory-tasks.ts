import { randomUUID } from "node:crypto";
import type { JsonObject } from "claw-contract";
import type { Task, TaskCall, TaskStore } from "../../../packages/claw/src/mcp/layer/tasks/task.ts";

const TTL_MS = 600_000;
const POLL_MS = 100;

type Answers = Readonly<Record<string, unknown>>;
type Questions = Readonly<Record<string, JsonObject>>;

/** The work of a task, while it goes on. */
export interface TaskWork {
  /** Aborted when the task is cancelled. */
  readonly signal: AbortSignal;
  /** Asks the client by key. Resolves when each question has its answer. */
  readonly ask: (questions: Questions) => Promise<Answers>;
}

type State = Pick<Task, "status" | "inputRequests" | "result" | "error">;

interface Question {
  readonly open: Questions;
  readonly answers: Answers;
  readonly answered: (answers: Answers) => void;
}

const without = (questions: Questions, answers: Answers): Questions =>
  Object.fromEntries(Object.entries(questions).filter(([key]) => !Object.hasOwn(answers, key)));

/** A task whose work goes on in this process. */
class MemoryTask {
  readonly ending = new AbortController();
  readonly watchers = new Set<() => void>();
  readonly #fixed = {
    taskId: randomUUID(),
    createdAt: new Date().toISOString(),
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  };
  #state: State = { status: "working" };
  #updated = this.#fixed.createdAt;
  #question: Question | undefined;

  view(): Task {
    return { ...this.#fixed, lastUpdatedAt: this.#updated, ...this.#state };
  }

  /** Changes the state, unless the task has ended. */
  become(state: State): void {
    if (["completed", "failed", "cancelled"].includes(this.#state.status)) return;
    this.#state = state;
    this.#updated = new Date().toISOString();
    for (const changed of this.watchers) changed();
  }

  ask(open: Questions): Promise<Answers> {
    this.become({ status: "input_required", inputRequests: open });
    return new Promise((answered) => (this.#question = { open, answers: {}, answered }));
  }

  answer(responses: Answers): void {
    const asked = this.#question;
    if (asked === undefined) return;
    const known = Object.fromEntries(Object.entries(responses).filter(([key]) => Object.hasOwn(asked.open, key)));
    const answers = { ...asked.answers, ...known };
    const open = without(asked.open, answers);
    const isAnswered = Object.keys(open).length === 0;
    this.#question = isAnswered ? undefined : { ...asked, open, answers };
    this.become(isAnswered ? { status: "working" } : { status: "input_required", inputRequests: open });
    if (isAnswered) asked.answered(answers);
  }
}

/** Tasks in memory. */
export class MemoryTasks implements TaskStore {
  readonly #tasks = new Map<string, MemoryTask>();

  /** Begins a task. The value of the work is the task's result; its rejection is the error of the call. */
  begin(work: (task: TaskWork) => Promise<JsonObject>): Task {
    const task = new MemoryTask();
    const created = task.view();
    this.#tasks.set(created.taskId, task);
    work({ signal: task.ending.signal, ask: (questions) => task.ask(questions) }).then(
      (result) => task.become({ status: "completed", result }),
      (error: unknown) => task.become({ status: "failed", error: { code: -32_603, message: String(error) } }),
    );
    return created;
  }

  get(taskId: string): Promise<Task | undefined> {
    return Promise.resolve(this.#tasks.get(taskId)?.view());
  }

  update(taskId: string, responses: JsonObject): Promise<boolean> {
    this.#tasks.get(taskId)?.answer(responses);
    return Promise.resolve(this.#tasks.has(taskId));
  }

  cancel(taskId: string): Promise<boolean> {
    const task = this.#tasks.get(taskId);
    task?.become({ status: "cancelled" });
    task?.ending.abort();
    return Promise.resolve(task !== undefined);
  }

  watch(taskId: string, { signal }: TaskCall, changed: () => void): void {
    const watchers = this.#tasks.get(taskId)?.watchers;
    watchers?.add(changed);
    signal.addEventListener("abort", () => watchers?.delete(changed), { once: true });
  }
}
