import * as z from "zod";
import { HARNESS_IDS } from "../../../runs/harness-names.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { PERMISSION_MODES } from "../../../permissions/permission-table.ts";
import { TROUBLE_ACTIONS, WORKER_MODES } from "../../../workers/worker-words.ts";
import { defineRequest, looseOr, orAbsent, orElse, refusedAs } from "../../define-request.ts";
import { StartedWorker } from "./worker-parts.ts";

/** A text without a zero byte, which no argument of a program can have. */
const Argument = z.string().regex(/^[^\0]*$/);

const isText = (name: string): string => `${name} has to be text without a zero byte`;
const isOneOf = (name: string, words: readonly string[]): string => `${name} is none of ${words.join(", ")}`;

const WorkerName = z
  .string()
  .max(LIMITS.workerNameLength)
  .regex(/^(?!p_\d+$)[A-Za-z0-9][A-Za-z0-9._-]*$/);

const { workerCommands: most, workerCommandChars: longest } = LIMITS;
const Commands = z.array(Argument.max(longest)).max(most);
const areCommands = `at most ${most} texts, each of at most ${longest} characters and without a zero byte`;
const commands = (description: string) => orAbsent(Commands).describe(description);

const Amount = orAbsent(z.number().min(0));
const Amounts = { usd: Amount.describe("In US dollars."), tokens: Amount.describe("In tokens.") };

const action = (preset: (typeof TROUBLE_ACTIONS)[number], description: string) =>
  z.enum(TROUBLE_ACTIONS).default(preset).describe(description);

const Trouble = z.object({
  stale: action("alert", "When the worker is silent for too long."),
  hung: action("nudge", "When the worker runs without getting further."),
  crash: action("restart", "When the worker's process ends before its work is done."),
  restarts: looseOr(z.int().min(0), 3).describe("How often the worker is started again within an hour."),
});

export const spawnWorkerRequest = defineRequest({
  name: "worker.spawn",
  summary: "Starts a worker. A worker may start others that can do and spend no more than itself.",
  from: ["orchestrator", "worker"],
  effect: "write",
  routedBy: { names: "machine", field: "on" },
  code: "INVALID_FLAG_VALUE",
  request: z.object({
    name: refusedAs(
      orElse(WorkerName, null),
      `a name has letters, digits, dots, dashes and underscores, at most ${LIMITS.workerNameLength}, and is not an id`,
    ).describe("Name of the worker; the daemon chooses one otherwise."),
    harness: refusedAs(z.enum(HARNESS_IDS), isOneOf("harness", HARNESS_IDS)).describe("Agent that the worker runs."),
    mode: refusedAs(orElse(z.enum(WORKER_MODES), "headless"), isOneOf("mode", WORKER_MODES)).describe(
      "Whether the agent runs in a terminal or without one.",
    ),
    mission: refusedAs(
      z.string().regex(/^\s*[^\s\0][^\0]*$/),
      "the worker needs a mission: a text without a zero byte",
    ).describe(`What the worker is to do; at most ${LIMITS.workerMissionBytes} bytes.`),
    model: refusedAs(orElse(Argument, null), isText("model")).describe("Model of the agent; its own choice otherwise."),
    cwd: refusedAs(orElse(Argument, null), isText("cwd")).describe(
      "Folder the worker works in, as an absolute path; the daemon's folder otherwise.",
    ),
    parent_id: refusedAs(orElse(Argument, null), isText("parent_id")).describe(
      "Worker, by id or name, or peer that the worker works for.",
    ),
    fleet: refusedAs(orElse(Argument, null), isText("fleet")).describe("Fleet the worker belongs to."),
    worktree: refusedAs(
      orElse(
        z.object({
          include: commands("Files outside git to copy into the worktree, from the root of the repository."),
          setup: commands("Commands that prepare the worktree."),
          teardown: commands("Commands to run before the worktree is removed."),
        }),
        null,
      ),
      `worktree is an object; its include, setup and teardown have ${areCommands}`,
    ).describe("How the worker's own git worktree is made; null for no worktree."),
    checks: refusedAs(orElse(Commands, []), `checks has ${areCommands}`).describe(
      "Commands that show whether the work is done.",
    ),
    budget: refusedAs(
      orElse(z.object({ ...Amounts, run: orAbsent(z.object(Amounts)) }), null),
      "a budget is a number of dollars or tokens: usd, tokens, and the same in run for one start",
    ).describe("What the worker may spend, together with the workers it starts; `run` limits each start of it."),
    trouble: refusedAs(
      orElse(Trouble, { stale: "alert", hung: "nudge", crash: "restart", restarts: 3 }),
      `each of stale, hung and crash in trouble is one of ${TROUBLE_ACTIONS.join(", ")}`,
    ).describe("What the daemon does when the worker is in trouble."),
    env: refusedAs(
      orElse(z.record(z.string().regex(/^[^=\0]+$/), Argument), {}),
      "env has names without = and zero bytes, and texts without zero bytes",
    ).describe("Environment variables of the agent."),
    scenario: refusedAs(orElse(Argument, null), isText("scenario")).describe("Scenario that the fake agent plays."),
    on: refusedAs(
      orElse(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), null),
      "on is any or the name of a machine: letters, digits, _ and -, at most 64 of them",
    ).describe("Machine of the cluster that starts the worker, or `any`: the one with the most free slots."),
    key: refusedAs(
      orElse(z.string().min(16).max(LIMITS.idempotencyKeyLength), null),
      `key has 16 to ${LIMITS.idempotencyKeyLength} characters`,
    ).describe("The same key from the same peer starts no second worker: the reply is about the first."),
    permission_mode: refusedAs(
      orElse(z.enum(PERMISSION_MODES), null),
      isOneOf("permission_mode", PERMISSION_MODES),
    ).describe("What the agent may do without asking."),
  }),
  reply: StartedWorker.extend({ machine: z.string().optional().describe("The machine it runs on, in a cluster.") }),
});
