import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** The program that a terminal's keys go to. */
export interface Foreground {
  readonly contentType: string;
  readonly pid: number | null;
  readonly basename: string | null;
}

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

const described = (pid: number, name: string, argv: readonly string[]): Foreground => {
  const program = basename(argv[0] ?? "") || name;
  return { pid, basename: program.replace(/^-/, ""), contentType: contentOf(program, argv) };
};

const NOBODY: Foreground = { pid: null, basename: null, contentType: "unknown" };

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process is gone, or this system has no /proc.
    return undefined;
  }
}

/** The group in the foreground of the terminal a process has. */
function groupFromProc(pid: number): number | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const group = Number(fields?.[5]);
  return Number.isSafeInteger(group) && group > 0 ? group : undefined;
}

function fromProc(pid: number): Foreground | undefined {
  const group = groupFromProc(pid);
  if (group === undefined) return undefined;
  const name = readProc(`/proc/${group}/comm`)?.trim();
  if (name === undefined) return NOBODY;
  const argv = (readProc(`/proc/${group}/cmdline`) ?? "").split("\0").filter((word) => word !== "");
  return described(group, name, argv);
}

function ps(columns: string, pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", columns, "-p", String(pid)], (error, stdout) => resolve(error === null ? stdout.trim() : ""));
  });
}

async function fromPs(pid: number): Promise<Foreground> {
  const group = Number(await ps("tpgid=", pid));
  if (!Number.isSafeInteger(group) || group <= 0) return NOBODY;
  const argv = (await ps("args=", group)).split(/\s+/).filter((word) => word !== "");
  return argv[0] === undefined ? NOBODY : described(group, argv[0], argv);
}

/** What runs in the foreground of the terminal whose first process this is. Never rejects. */
export function findForeground(pid: number): Promise<Foreground> {
  if (process.platform !== "linux") return fromPs(pid);
  return Promise.resolve(fromProc(pid) ?? NOBODY);
}
