import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { ForegroundProgram } from "claw-contract";
import { LIMITS } from "claw-contract";

const SHELLS = new Set(["bash", "zsh", "sh", "dash", "fish", "ksh", "mksh", "ash", "tcsh", "csh"]);
const EDITORS = new Set(["vim", "nvim", "vi", "view", "vimdiff"]);

/** The kind of a program by its name and its arguments. */
export function contentOf(name: string, argv: readonly string[]): string {
  const plain = name.replace(/^-/, "");
  if (SHELLS.has(plain)) return "shell";
  if (plain === "claude" || argv.slice(0, 2).some((word) => /(^|\/)claude(-code)?(\/cli\.js)?$/.test(word))) {
    return "claude";
  }
  if (/^python[\d.]*$/.test(plain)) return "python";
  if (plain === "node" || plain === "MainThread") return "node";
  if (EDITORS.has(plain)) return "vim";
  return plain === "htop" ? "htop" : "unknown";
}

const described = (pid: number, name: string, argv: readonly string[]): ForegroundProgram => {
  const program = basename(argv[0] ?? "") || name;
  return { pid, basename: program.replace(/^-/, ""), contentType: contentOf(program, argv) };
};

const NO_PROGRAM: ForegroundProgram = { pid: null, basename: null, contentType: "unknown" };

/** Reads a file of `/proc`; undefined when the process is gone, or this system has no `/proc`. */
type ReadProc = (path: string) => string | undefined;

const readProc: ReadProc = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

/** The group in the foreground of a process's terminal, from its `stat` in `/proc`. A program may have any name. */
function groupIn(stat: string): number | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const group = Number(fields[5]);
  return Number.isSafeInteger(group) && group > 0 ? group : undefined;
}

/** Positions of fields behind the name in `stat`: when the process started, and where its arguments are in memory. */
const STARTED = 19;
const ARGUMENTS = 45;

/**
 * A text that stays the same while the same program is in the foreground of a process's terminal. A program that
 * replaces another in the same process has its arguments elsewhere in memory. Undefined when `/proc` does not say.
 * It costs one file to read, not three (benchmark `terminals`, CPU per MB).
 */
export function foregroundMark(pid: number, read: ReadProc = readProc): string | undefined {
  const own = read(`/proc/${pid}/stat`) ?? "";
  const group = groupIn(own);
  const stat = group === undefined || group === pid ? own : (read(`/proc/${group}/stat`) ?? "");
  const nameEnd = stat.lastIndexOf(")");
  const fields = stat.slice(nameEnd + 2).split(" ");
  const place = fields[ARGUMENTS] ?? "0";
  // The place of the arguments is 0 for a process of another user.
  if (group === undefined || place === "0") return undefined;
  return `${stat.slice(0, nameEnd)} ${fields[STARTED]} ${place}`;
}

/** What `/proc` knows of the foreground of a process's terminal. */
export function foregroundByProc(pid: number, read: ReadProc = readProc): ForegroundProgram {
  const group = groupIn(read(`/proc/${pid}/stat`) ?? "");
  const name = group === undefined ? undefined : read(`/proc/${group}/comm`)?.trim();
  if (group === undefined || name === undefined) return NO_PROGRAM;
  const argv = (read(`/proc/${group}/cmdline`) ?? "").split("\0").filter((word) => word !== "");
  return described(group, name, argv);
}

/** Asks `ps` for columns of one process; the answer is empty when the process is gone. Never rejects. */
type AskPs = (columns: string, pid: number) => Promise<string>;

const askPs: AskPs = (columns, pid) =>
  new Promise((resolve) => {
    execFile("ps", ["-o", columns, "-p", String(pid)], (error, stdout) => resolve(error === null ? stdout.trim() : ""));
  });

/** What `ps` knows of the foreground of a process's terminal, where there is no `/proc`. */
export async function foregroundByPs(pid: number, ask: AskPs = askPs): Promise<ForegroundProgram> {
  const group = Number(await ask("tpgid=", pid));
  if (!Number.isSafeInteger(group) || group <= 0) return NO_PROGRAM;
  const argv = (await ask("args=", group)).split(/\s+/).filter((word) => word !== "");
  return argv[0] === undefined ? NO_PROGRAM : described(group, argv[0], argv);
}

/** What runs in the foreground of the terminal whose first process this is. Never rejects. */
export async function findForeground(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<ForegroundProgram> {
  return platform === "linux" ? foregroundByProc(pid) : foregroundByPs(pid);
}

/** Notices which program a terminal belongs to, soon after something happened in it. */
export interface ForegroundWatch {
  /** Something happened: looks once when it has settled, and not too often. */
  touch(): void;
  stop(): void;
}

export function createForegroundWatch(
  pid: () => number | undefined,
  changed: (foreground: ForegroundProgram) => void,
): ForegroundWatch {
  let timer: NodeJS.Timeout | undefined;
  let known = "";
  let mark: string | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    const shell = pid();
    timer = undefined;
    if (shell === undefined || stopped) return;
    const before = mark;
    mark = foregroundMark(shell);
    if (mark !== undefined && mark === before) return;
    const found = await findForeground(shell);
    const now = JSON.stringify(found);
    if (stopped || now === known) return;
    known = now;
    changed(found);
  };
  return {
    touch: () => {
      timer ??= setTimeout(() => void look(), LIMITS.foregroundMs);
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
