import type { RunRequest } from "../harness.ts";

/** A run that answers the agent's questions. */
export const REQUEST: RunRequest = {
  prompt: "please do it",
  skill: null,
  model: "gpt-5.5",
  cwd: "/home/user/project",
  env: {},
  dialogue: true,
  loggedIn: false,
  lastMessagePath: null,
  program: null,
};
