import { expect, test } from "vitest";
import { terminalEnvironment } from "./terminal-environment.ts";

test("a program in a terminal sees what belongs to the terminal, and nothing of what the daemon was started from", () => {
  const base = { PATH: "/bin", HOME: undefined, TERM: "dumb", VSCODE_PID: "1", npm_config_x: "1", xnpm_y: "1" };
  const foreign = { NODE_OPTIONS: "-r x", TMUX: "1", TMUX_PANE: "1", COLUMNS: "9", CLAWS_TERMINAL_CORR_ID: "old" };
  const more = { terminalId: "7", correlationId: null, socket: null, added: { TERM: "vt100", NODE_OPTIONS: "--own" } };
  expect(terminalEnvironment({ ...base, ...foreign }, more)).toEqual({
    PATH: "/bin",
    xnpm_y: "1",
    NODE_OPTIONS: "--own",
    TERM: "xterm-256color",
    CLAWS_WRAPPED: "1",
    CLAWS_TERMINAL_ID: "7",
  });
  const named = { terminalId: "7", correlationId: "c", socket: "/s", added: { CLAWS_TERMINAL_ID: "8" } };
  expect(terminalEnvironment({}, named)).toEqual({
    CLAWS_SOCKET: "/s",
    TERM: "xterm-256color",
    CLAWS_WRAPPED: "1",
    CLAWS_TERMINAL_ID: "7",
    CLAWS_TERMINAL_CORR_ID: "c",
  });
});
