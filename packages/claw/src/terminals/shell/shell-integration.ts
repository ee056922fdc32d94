import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { shellQuote } from "claw-contract";
import { systemShell } from "../../process/index.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, fileModes } from "../../files/index.ts";
import { bashStart, zshEnvironment, zshProfile, zshStart } from "./shell-scripts.ts";

/** How a shell is started. */
export interface ShellStart {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** How commands are told apart: by marks from the shell, by marks printed around each command, or not at all. */
  readonly kind: "marks" | "posix" | "none";
  /** Removes the start files of the shell; called once the shell has started. */
  readonly tidy: () => void;
}

export interface ShellSettings {
  readonly path: string;
  /** A folder of this terminal for the shell's start files. */
  readonly folder: string;
  readonly nonce: string;
  /** The environment of the shell. */
  readonly env: Readonly<Record<string, string>>;
}

const PROFILES: Readonly<Record<string, readonly string[]>> = {
  bash: [".bash_profile", ".bash_login", ".profile"],
  zsh: [".zprofile", ".zlogin"],
};
const POSIX = new Set(["sh", "dash", "ksh", "mksh", "ash"]);

/** The user's shell. */
export const userShell = (env: Readonly<Record<string, string | undefined>>): string =>
  [env["SHELL"] ?? "", ...systemShell.forTerminals].find((path) => path.startsWith("/") && existsSync(path)) ??
  systemShell.run("")[0];

function writeFiles(folder: string, files: Readonly<Record<string, string>>): () => void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  fileModes.setMode(folder, PRIVATE_FOLDER);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: PRIVATE_FILE });
  return () => rmSync(folder, { recursive: true, force: true });
}

const hasProfile = (shell: string, home: string | undefined): boolean =>
  home !== undefined && (PROFILES[shell] ?? [".profile"]).some((name) => existsSync(join(home, name)));

function startBash({ path, folder, nonce, env }: ShellSettings): ShellStart {
  const tidy = writeFiles(folder, { bashrc: bashStart(nonce, hasProfile("bash", env["HOME"])) });
  return { argv: [path, "--rcfile", join(folder, "bashrc"), "-i"], env: {}, kind: "marks", tidy };
}

function startZsh({ path, folder, nonce, env }: ShellSettings): ShellStart {
  const own = env["ZDOTDIR"] === undefined ? "" : shellQuote(env["ZDOTDIR"]);
  const tidy = writeFiles(folder, {
    ".zshenv": zshEnvironment(own, shellQuote(folder)),
    ".zprofile": zshProfile(shellQuote(folder)),
    ".zshrc": zshStart(nonce, own),
  });
  const login = hasProfile("zsh", env["HOME"]) ? ["-l"] : [];
  return { argv: [path, "-i", ...login], env: { ZDOTDIR: folder }, kind: "marks", tidy };
}

/** Prepares a shell that marks the beginning and end of its commands, where the shell supports this. */
export function startShell(request: ShellSettings): ShellStart {
  const { path, env } = request;
  const name = basename(path);
  if (name === "bash") return startBash(request);
  if (name === "zsh") return startZsh(request);
  const login = hasProfile(name, env["HOME"]) && (name === "fish" || POSIX.has(name)) ? ["-l"] : [];
  const kind = POSIX.has(name) ? "posix" : "none";
  const flags = kind === "posix" || name === "fish" ? ["-i", ...login] : [];
  return { argv: [path, ...flags], env: {}, kind, tidy: () => undefined };
}
