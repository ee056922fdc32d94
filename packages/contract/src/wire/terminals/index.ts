export type { CloseOrigin } from "./close-origin.ts";
export { CLOSE_ORIGINS } from "./close-origin.ts";
export type { ExecutedCommand, RanCommand } from "./ran-command.ts";
export type { ProcessIdentity, Terminal } from "./terminal.ts";
export type {
  ForegroundProgram,
  TerminalChange,
  TerminalClosing,
  TerminalFact,
  TerminalFactBody,
} from "./terminal-fact.ts";
export type { HostedTerminalRequest, TerminalRequest } from "./terminal-request.ts";
export type { TerminalScreen } from "./terminal-screen.ts";
