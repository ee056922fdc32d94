/** Words of other programs that are no verbs of claw, and the verbs that do what such a word asks for. */
export const WORD_HINTS: Readonly<Record<string, readonly { readonly verb: string; readonly does: string }[]>> = {
  kill: [
    { verb: "abort", does: "stops a worker" },
    { verb: "down", does: "stops the daemon" },
  ],
  stop: [
    { verb: "abort", does: "stops a worker" },
    { verb: "pause", does: "makes a worker wait" },
    { verb: "down", does: "stops the daemon" },
  ],
  start: [
    { verb: "up", does: "starts the daemon" },
    { verb: "spawn", does: "starts a worker" },
    { verb: "chat", does: "starts a session" },
  ],
  login: [{ verb: "doctor", does: "says which keys and logins claw finds, and how to give it one" }],
  auth: [{ verb: "doctor", does: "says which keys and logins claw finds, and how to give it one" }],
  list: [
    { verb: "ps", does: "lists workers" },
    { verb: "list-sessions", does: "lists sessions" },
    { verb: "harnesses", does: "lists the agents installed here" },
  ],
  ls: [
    { verb: "ps", does: "lists workers" },
    { verb: "list-sessions", does: "lists sessions" },
  ],
  workers: [{ verb: "ps", does: "lists workers" }],
  agents: [
    { verb: "harnesses", does: "lists the agents installed here" },
    { verb: "ps", does: "lists workers" },
  ],
  delete: [
    { verb: "delete-session", does: "deletes a session" },
    { verb: "rm", does: "removes a worker that has ended" },
  ],
  remove: [
    { verb: "rm", does: "removes a worker that has ended" },
    { verb: "delete-session", does: "deletes a session" },
  ],
  ask: [
    { verb: "prompt", does: "asks claw's own agent" },
    { verb: "run", does: "asks the agent that is installed" },
  ],
  tail: [
    { verb: "logs", does: "shows what a worker printed" },
    { verb: "events", does: "shows what happened on the bus" },
  ],
};
