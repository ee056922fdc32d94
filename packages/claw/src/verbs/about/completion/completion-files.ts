import { isAbsolute, join } from "node:path";
import type { Environment } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { ShellName } from "./shell-scripts.ts";
import { completionScript } from "./shell-scripts.ts";
import { withBlock, withoutBlock } from "./marked-block.ts";

/** A file that completion in a shell needs. Contents hold one byte in each character. */
export interface CompletionFile {
  readonly path: string;
  /** The content of the file with completion installed, made from its present content; undefined when there is no file. */
  readonly installed: (before: string | undefined) => string;
  readonly removed: (before: string) => string | undefined;
}

const homeOf = ({ HOME: home = "" }: Environment): string => {
  if (isAbsolute(home)) return home;
  throw new ClawError("FILESYSTEM_ERROR", "HOME names no folder", {
    operation: "find_home",
    target: "HOME",
    hint: "Set HOME to your home folder.",
  });
};

const under = (named: string | undefined, home: string, name: string): string =>
  named !== undefined && isAbsolute(named) ? named : join(home, name);

const wholeFile = (path: string, text: string): CompletionFile => ({
  path,
  installed: () => text,
  removed: () => undefined,
});

/** A block in a file of the user, who may have more in it. */
const block = (path: string, lines: string): CompletionFile => ({
  path,
  installed: (before) => withBlock(before, lines),
  removed: withoutBlock,
});

const sourced = (path: string): string => `[ ! -r ${shellQuote(path)} ] || . ${shellQuote(path)}`;

/** The script's `compdef` needs zsh's completion, which a bare .zshrc has not started. */
const ZSH_START = "(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i; }";

/** The files by which a shell completes claw at every start: the places where the shell looks. */
export function completionFiles(shell: ShellName, env: Environment): readonly CompletionFile[] {
  const home = homeOf(env);
  const script = completionScript(shell);
  if (shell === "fish") {
    const config = under(env["XDG_CONFIG_HOME"], home, ".config");
    return [wholeFile(join(config, "fish", "completions", "claw.fish"), script)];
  }
  const data = join(under(env["XDG_DATA_HOME"], home, ".local/share"), "claw");
  const file = join(data, `completion.${shell}`);
  if (shell === "bash") return [wholeFile(file, script), block(join(home, ".bashrc"), sourced(file))];
  const zshrc = join(under(env["ZDOTDIR"], home, "."), ".zshrc");
  return [wholeFile(file, script), block(zshrc, `${ZSH_START}\n${sourced(file)}`)];
}
