import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "@claw/contract";
import { onTestFinished } from "vitest";
import { until } from "./provocations.ts";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

/** The built binary on a real terminal of 80 by 24, with a person who types. */
export interface TerminalSession {
  /** Everything on the terminal, also what has moved out of sight. */
  screen(): string;
  /** Waits until the terminal shows something. */
  shows(what: RegExp): Promise<string>;
  /** Presses keys: names as tmux knows them, or text. */
  press(...keys: readonly string[]): void;
  type(text: string): void;
  paste(text: string): void;
  /** The process of claw. */
  pid(): number;
  /** Closes the window. */
  hangUp(): void;
}

const COLUMNS = "80";
const ROWS = "24";

/** Starts claw in a shell that says afterwards how it ended and how it left the terminal. */
export function openTerminal(
  workspace: Workspace,
  args: readonly string[],
  extra: NodeJS.ProcessEnv = {},
): TerminalSession {
  const socket = join(workspace.home, `tmux-${randomBytes(4).toString("hex")}`);
  const pidFile = `${socket}.pid`;
  const env = cleanEnvironment(workspace, { TERM: "xterm-256color", ...extra });
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], { env, encoding: "utf8" });
  const call = [process.execPath, BINARY, ...args].map(shellQuote).join(" ");
  const script = join(workspace.home, "session.sh");
  writeFileSync(
    script,
    `sh -c 'echo $$ > ${shellQuote(pidFile)}; exec ${call.replaceAll("'", `'\\''`)}'\necho "ended with $?"\nstty -a\nexec sleep 600\n`,
  );
  tmux("new-session", "-d", "-x", COLUMNS, "-y", ROWS, "-c", workspace.cwd, `sh ${shellQuote(script)}`);
  const hangUp = (): void => void execFileSync("tmux", ["-S", socket, "kill-server"], { env, stdio: "ignore" });
  let isOpen = true;
  const close = (): void => {
    if (isOpen) hangUp();
    isOpen = false;
  };
  onTestFinished(close);
  const screen = (): string => tmux("capture-pane", "-p", "-J", "-S", "-").trimEnd();
  return {
    screen,
    shows: (what) => until(`${String(what)} on the terminal`, () => (what.test(screen()) ? screen() : undefined)),
    press: (...keys) => void tmux("send-keys", ...keys),
    type: (text) => void tmux("send-keys", "-l", text),
    paste: (text) => {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    pid: () => Number(execFileSync("cat", [pidFile], { encoding: "utf8" })),
    hangUp: close,
  };
}
