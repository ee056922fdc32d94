import { TASKS_EXTENSION } from "../layer/tasks/task.ts";

/** What an agent is told about the server when it connects. Clients cut it at 2,000 characters. */
const INSTRUCTIONS = `claw runs coding agents as workers that you lead.
Start work with claws_run: one mission, or several workers in parallel. A worker knows only its mission: say everything.
Wait with claws_wait; never poll. Its cursor makes sure that you miss nothing.
status needs_input: a worker asks something. Read claws_approvals, decide, answer with claws_answer.
status done: look at claws_diff, then claws_review with accept or rework. Checks that you give are run by claw itself.
An error has a code, a hint that says what to do, and retryable.
End with claws_done.`;

/** Extensions of the protocol that the server knows. */
export const EXTENSIONS = { extensions: { [TASKS_EXTENSION]: {} } } as const;

/** All capabilities of the server; the server derives the same from the tables. */
export const MCP_CAPABILITIES = { tools: {}, resources: { subscribe: true }, prompts: {}, ...EXTENSIONS } as const;

/** Name, version and instructions of the server, as a client gets them with the first answer. */
export const clawsFace = (version: string) => ({
  server: { name: "claws", title: "claw", version },
  instructions: INSTRUCTIONS,
});
