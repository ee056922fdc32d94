export type { CloseOrigin } from "./close-origin.ts";
export { CLOSE_ORIGINS } from "./close-origin.ts";
export type {
  ExecutedCommand,
  RanCommand,
  ForegroundProgram,
  TerminalChange,
  TerminalClosing,
  TerminalFact,
  TerminalFactBody,
} from "./terminal-fact.ts";
export type { ProcessIdentity, Terminal, TerminalScreen, HostedTerminalRequest, TerminalRequest } from "./terminal.ts";
