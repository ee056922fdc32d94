import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "claw-contract";
import { onTestFinished } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
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
  /** Gives the terminal another size. */
  resize(columns: number, rows: number): void;
  /** A mode of the terminal, by tmux's name for it. */
  mode(name: string): string;
  /** Begins to write all that the program prints to a file, and returns the file's path. */
  record(): string;
  /** Closes the window. */
  hangUp(): void;
}

export const COLUMNS = "80";
const ROWS = "24";
const HISTORY_LINES = "20000";

/** Each look at a terminal starts a process. */
export const LOOK_MS = 50;

/** Runs a shell script in a terminal of its own. */
export function openTmux(workspace: Workspace, script: string, extra: NodeJS.ProcessEnv): Omit<TerminalSession, "pid"> {
  const socket = join(workspace.home, `tmux-${randomBytes(4).toString("hex")}`);
  const env = cleanEnvironment(workspace, { TERM: "xterm-256color", ...extra });
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], { env, encoding: "utf8" });
  const file = `${socket}.sh`;
  writeFileSync(file, script);
  const size = ["-x", COLUMNS, "-y", ROWS];
  const keepAll = ["set-option", "-g", "history-limit", HISTORY_LINES, ";"];
  tmux(...keepAll, "new-session", "-d", ...size, "-c", workspace.cwd, `bash ${shellQuote(file)}`);
  let isOpen = true;
  const hangUp = (): void => {
    if (isOpen) execFileSync("tmux", ["-S", socket, "kill-server"], { env, stdio: "ignore" });
    isOpen = false;
  };
  onTestFinished(hangUp);
  const screen = (): string => tmux("capture-pane", "-p", "-J", "-S", "-").trimEnd();
  return {
    screen,
    shows: (what) =>
      until(`${String(what)} on the terminal`, () => (what.test(screen()) ? screen() : undefined), LOOK_MS).catch(
        (cause: unknown) => {
          throw new Error(`${String(what)} is not on the terminal:\n${isOpen ? screen() : "closed"}`, { cause });
        },
      ),
    press: (...keys) => void tmux("send-keys", ...keys),
    type: (text) => void tmux("send-keys", "-l", text),
    paste: (text) => {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    resize: (columns, rows) => void tmux("resize-window", "-x", String(columns), "-y", String(rows)),
    mode: (name) => tmux("display-message", "-p", `#{${name}}`).trim(),
    record: () => {
      const path = `${socket}.log`;
      writeFileSync(path, "");
      tmux("pipe-pane", `cat > ${shellQuote(path)}`);
      return path;
    },
    hangUp,
  };
}

/**
 * Starts claw in a shell that says afterwards how it ended and how it left the terminal. With `jobs`, the shell is one
 * in which programs can be stopped and go on.
 */
export function openTerminal(
  workspace: Workspace,
  args: readonly string[],
  extra: NodeJS.ProcessEnv = {},
  { jobs = false }: { readonly jobs?: boolean } = {},
): TerminalSession {
  const pidFile = join(workspace.home, `pid-${randomBytes(4).toString("hex")}`);
  const call = [process.execPath, BINARY, ...args].map(shellQuote).join(" ");
  const claw = `sh -c ${shellQuote(`echo $$ > ${shellQuote(pidFile)}; exec ${call}`)}`;
  // With jobs, the shell goes on after the program was stopped, and reads what is typed.
  const once = `${claw}\necho "ended with $?"\nstty -a\nexec sleep 600\n`;
  const session = openTmux(workspace, jobs ? "exec bash --norc --noprofile -i\n" : once, extra);
  if (jobs) {
    session.type(claw);
    session.press("Enter");
  }
  return { ...session, pid: () => Number(readFileSync(pidFile, "utf8")) };
}
