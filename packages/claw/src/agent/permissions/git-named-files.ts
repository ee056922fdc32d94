import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { LIMITS } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { entryAt } from "./entry-at.ts";

/** One setting of git: section, name of the subsection and key joined by dots; section and key in small letters. */
interface GitSetting {
  readonly name: string;
  readonly value: string;
}

const HEADER = /^\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\]/;
const VARIABLE = /^([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*(.*))?$/s;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** A value without its quotes, escapes and comment. */
function readValue(text: string): string {
  let [value, bare, isQuoted] = ["", 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else if (char === "\\") {
      at += 1;
      value += ESCAPES[text[at] ?? ""] ?? text[at] ?? "";
    } else value += char;
    // Blanks at the end count only in quotes.
    if (isQuoted || !/\s/.test(char)) bare = value.length;
  }
  return value.slice(0, bare);
}

/** The settings in a settings file of git, in order. Lines that make no sense are skipped. Never throws. */
export function readGitConfig(text: string): GitSetting[] {
  let section = "";
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\\\r?\n/g, "")
    .split(/\r?\n/);
  return lines.flatMap((line) => {
    const trimmed = line.trim();
    const header = HEADER.exec(trimmed);
    if (header !== null) {
      const [, name = "", sub] = header;
      section = name.toLowerCase() + (sub === undefined ? "" : `.${sub.replaceAll(/\\(.)/g, "$1")}`);
    }
    const variable = VARIABLE.exec(trimmed.slice(header?.[0].length ?? 0).trim());
    if (variable === null || section === "") return [];
    return [{ name: `${section}.${variable[1]?.toLowerCase()}`, value: readValue(variable[2] ?? "true") }];
  });
}

const INCLUDE = /^include(?:if\..*)?\.path$/s;
const PROGRAM_SETTING =
  /\.(?:external|textconv|command|clean|smudge|process|program|sshcommand|askpass|helper|fsmonitor|driver|editor|pager)$/;
const ALIAS = /^alias\./;
/** As deep as git itself follows includes. */
const MAX_DEPTH = 10;

/** A path of git's settings; relative ones begin at `base`. */
function pathOf(text: string, base: string): string {
  const path = text.replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(path) ? join(path) : join(base, path);
}

/** The folder of hooks. A folder named `_` runs scripts of its parent folder, so the parent is listed too. */
function hookFolders(value: string, tree: string): string[] {
  const folder = pathOf(value, tree);
  return basename(folder) === "_" ? [folder, dirname(folder)] : [folder];
}

/** Words of a command that are files; also the program when it is a path, whether or not the file exists. */
function filesOfCommand(value: string, tree: string): string[] {
  const words = value.split(/[\s"'=;|&()!]+/).filter((word) => word !== "");
  const [first] = words;
  return words
    .filter((word) => (word === first && word.includes("/")) || entryAt(pathOf(word, tree))?.isFile())
    .map((word) => pathOf(word, tree));
}

interface SettingsReading {
  readonly tree: string;
  readonly depth: number;
}

function namedBy({ name, value }: GitSetting, file: string, { tree, depth }: SettingsReading): string[] {
  if (value === "" || value.includes("\0")) return [];
  if (INCLUDE.test(name)) {
    const path = pathOf(value, dirname(file));
    return [path, ...namedIn(path, { tree, depth: depth + 1 })];
  }
  if (name === "core.hookspath") return hookFolders(value, tree);
  return PROGRAM_SETTING.test(name) || (ALIAS.test(name) && value.startsWith("!")) ? filesOfCommand(value, tree) : [];
}

function namedIn(path: string, reading: SettingsReading): string[] {
  if (reading.depth > MAX_DEPTH) return [];
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? readGitConfig(file.text).flatMap((setting) => namedBy(setting, path, reading)) : [];
}

/** Files with git's settings for all repositories: the system's and the user's. */
function ownFiles(): string[] {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, XDG_CONFIG_HOME } = process.env;
  const home = homedir();
  const global = [join(home, ".gitconfig"), join(XDG_CONFIG_HOME || join(home, ".config"), "git", "config")];
  return [GIT_CONFIG_SYSTEM ?? "/etc/gitconfig", ...(GIT_CONFIG_GLOBAL === undefined ? global : [GIT_CONFIG_GLOBAL])];
}

/**
 * Files and folders that git in a tree would read as settings or run: included files, folders of hooks, programs. Paths
 * are as the settings name them; the files need not exist. `folder` is the git folder of the tree.
 */
export function gitNamedFiles(tree: string, folder: string): string[] {
  const files = [...ownFiles(), join(folder, "config"), join(folder, "config.worktree")];
  return [...new Set(files.flatMap((path) => namedIn(path, { tree, depth: 0 })))];
}
