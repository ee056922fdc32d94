/** Variables that belong to the program that started the daemon, and would mislead other programs. */
const FOREIGN = /^(VSCODE_|ELECTRON_|CHROME_|GOOGLE_API_|npm_)/;
const FOREIGN_NAMES = new Set([
  "INIT_CWD",
  "NODE_OPTIONS",
  "TMUX",
  "TMUX_PANE",
  "STY",
  "WINDOW",
  "WINDOWID",
  "TERMCAP",
  "COLUMNS",
  "LINES",
  "CLAWS_PIPE_MODE",
  "CLAWS_TERMINAL_CORR_ID",
]);

export interface TerminalEnvironment {
  readonly terminalId: string;
  readonly correlationId: string | null;
  /** Socket where programs in the terminal find the bus. */
  readonly socket: string | null;
  /** Variables the caller adds to the terminal's environment. */
  readonly added: Readonly<Record<string, string>>;
}

/** The environment of a program in a terminal. */
export function terminalEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { terminalId, correlationId, socket, added }: TerminalEnvironment,
): Record<string, string> {
  const kept = Object.entries(base).flatMap(([name, value]) =>
    value === undefined || FOREIGN.test(name) || FOREIGN_NAMES.has(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(kept),
    ...(socket === null ? {} : { CLAWS_SOCKET: socket }),
    ...added,
    TERM: "xterm-256color",
    CLAWS_WRAPPED: "1",
    CLAWS_TERMINAL_ID: terminalId,
    ...(correlationId === null ? {} : { CLAWS_TERMINAL_CORR_ID: correlationId }),
  };
}
