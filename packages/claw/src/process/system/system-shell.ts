import { ClawError } from "claw-contract";

/** The program and arguments of a command. */
export type Argv = readonly [string, ...string[]];

/** The shell that commands of users, of settings and of claw itself are written for. */
export interface SystemShell {
  /** Starts the shell with a script; `words` are `$0`, `$1` and so on. Throws PLATFORM_UNSUPPORTED without a shell. */
  run(script: string, ...words: readonly string[]): Argv;
  /** Shells for a terminal when the user's own is unknown, best first. */
  readonly forTerminals: readonly string[];
}

const POSIX_SHELL = "/bin/sh";

const posixShell: SystemShell = {
  run: (script, ...words) => [POSIX_SHELL, "-c", script, ...words],
  forTerminals: ["/bin/bash", "/bin/zsh", POSIX_SHELL],
};

const noShell = (platform: NodeJS.Platform): SystemShell => ({
  run: () => {
    throw new ClawError("PLATFORM_UNSUPPORTED", `claw starts commands with ${POSIX_SHELL}, and this is ${platform}`, {
      operation: "start_shell",
      target: POSIX_SHELL,
    });
  },
  forTerminals: [],
});

/** The shell of a platform. Windows has none that understands the commands; claw does not translate them. */
export const systemShellFor = (platform: NodeJS.Platform): SystemShell =>
  platform === "win32" ? noShell(platform) : posixShell;

export const systemShell: SystemShell = systemShellFor(process.platform);
