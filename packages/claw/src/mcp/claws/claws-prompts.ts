import type { PromptArgument, PromptDefinition } from "../layer/mcp-tables.ts";

const user = (text: string) => [{ role: "user", content: { type: "text", text } }];

const argument = (name: string, description: string, required = true): PromptArgument => ({
  name,
  description,
  required,
});

type Values = Readonly<Record<string, string>>;

function definePrompt(face: Omit<PromptDefinition, "make">, write: (values: Values) => string): PromptDefinition {
  return { ...face, make: (values) => Promise.resolve(user(write(values))) };
}

const REVIEW = `For each worker that is done: read claws_diff, and decide. claws_review with accept and merge takes the work over;
with rework and a message it goes back. Do not accept what you have not read.`;

const QUESTIONS = `When status is needs_input, read claws_approvals. Answer with claws_answer what I would clearly want; ask me about the rest.`;

/** The prompts of the server. */
export const CLAWS_PROMPTS: readonly PromptDefinition[] = [
  definePrompt(
    {
      name: "run_in_parallel",
      title: "Run jobs in parallel",
      description: "Give each job to a worker of its own, and report when all are checked.",
      arguments: [
        argument("jobs", "The jobs, one a line"),
        argument("check", "Command that shows that a job is done, such as npm test", false),
      ],
    },
    ({ jobs = "", check }) => `Run these jobs in parallel, each by a worker of its own:

${jobs}

Call claws_run once, with one entry in workers for each job and worktree: true. A worker knows only its mission: write into
each what it needs to know about this project.${check === undefined ? "" : ` Give checks: ["${check}"].`}
Then go on with claws_wait until status is done or failed.
${QUESTIONS}
${REVIEW}
At the end tell me for each job: what was done, whether its checks passed, what it cost.`,
  ),
  definePrompt(
    {
      name: "fan_out_audit",
      title: "Fan out an audit",
      description: "Let several workers look at parts of a project, and join their findings.",
      arguments: [
        argument("target", "What to look at: a folder, a module, a change"),
        argument("question", "What to look for", false),
      ],
    },
    ({ target = "", question = "defects, with the evidence for each" }) => `Audit ${target}. Look for: ${question}.

Split the target into at most six parts that can be read alone. Call claws_run once, with one worker for each part and
permission_mode: "read-only"; its mission names the part, what to look for, and asks for findings as a list with file, line and reason.
Wait with claws_wait, then read each worker's answer with claws_log.
Check the most important findings yourself. Report them once, ordered by weight, and say which worker found what.`,
  ),
  definePrompt(
    {
      name: "supervise_fleet",
      title: "Supervise a fleet",
      description: "Watch the workers of a fleet, answer what they ask, and help those in trouble.",
      arguments: [argument("fleet", "Name of the fleet")],
    },
    ({ fleet = "" }) => `Supervise the fleet ${fleet} until all of its workers have ended.

Begin with claws_workers and this fleet. Wait with claws_wait and the ids of its workers; never poll.
${QUESTIONS}
A worker that is stale or hung: look at claws_log, then claws_send a hint, or claws_control abort.
Keep an eye on cost_usd; limit it with claws_budget when it runs away.
${REVIEW}
Tell me in two lines whenever a worker ends, and at the end what is open.`,
  ),
  definePrompt(
    {
      name: "review_and_accept",
      title: "Review and accept",
      description: "Review what a worker reported, and accept it or send it back.",
      arguments: [argument("worker", "Id or name of the worker")],
    },
    ({ worker = "" }) => `Review the work of ${worker}.

Read claws_show for its mission and checks, then claws_diff to its end. Compare the diff with the mission: what is missing,
what is wrong, what was not asked for.
If it is right, call claws_review with accept and merge: true. Otherwise call claws_review with rework and a message that says
exactly what to change. Tell me which, and why.`,
  ),
];
