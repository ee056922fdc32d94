import { isAbsolute } from "node:path";
import { ClawError, isSecretName } from "claw-contract";
import type { Environment } from "claw-contract";
import { resolvePath } from "../permissions/resolve-path.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInWorkspace } from "../permissions/workspace.ts";

export interface EnvironmentRequest {
  readonly env: Environment;
  readonly workspace: Workspace;
  /**
   * `listed`: runs unasked, without a sandbox; `confined`: in the sandbox; `free`: a person or the mode allowed the
   * command.
   */
  readonly manner: "listed" | "confined" | "free";
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Variables with which another party could make a shell, an interpreter, a loader or git start or load a program. */
const LOADERS = wordSet(
  "BASH_ENV ENV BASHOPTS SHELLOPTS IFS CDPATH PROMPT_COMMAND PS0 PS1 PS2 PS4 GLOBIGNORE POSIXLY_CORRECT NODE_OPTIONS NODE_EXTRA_CA_CERTS NODE_PATH NODE_REPL_EXTERNAL_MODULE PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONINSPECT PYTHONWARNINGS PYTHONBREAKPOINT PERL5OPT PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_PATH GCONV_PATH LOCPATH NLSPATH HOSTALIASES GETCONF_DIR TZDIR RES_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS LESSOPEN LESSCLOSE LESS MANPAGER EDITOR VISUAL SUDO_EDITOR BROWSER RIPGREP_CONFIG_PATH GREP_OPTIONS SSH_ASKPASS SSH_AUTH_SOCK GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS XAUTHORITY DOCKER_HOST KUBECONFIG HISTFILE MAIL MAILPATH FPATH ZDOTDIR",
);
const LOADER_SHAPES = [/^BASH_FUNC_/, /^LD_/, /^DYLD_/, /^GIT_/, /^npm_config_/i, /^MALLOC_/, /^GLIBC_/];
/**
 * Names of variables that lead to a secret, which the sandbox hides anyway, or that hold a secret under another name.
 */
const KEPT_SECRETS = [/(?:^|_)(?:DATABASE|REDIS|AMQP)_UR[IL]$/i, /CONNECTION_STRING$/i, /_DSN$/i];
/** A variable whose name fits both patterns holds the address of a database and its login. */
const DATABASES = /(?:^|_)(?:MONGO|POSTGRES)/i;
const ADDRESS = /_UR[IL]$/i;

const isLoader = (name: string): boolean => LOADERS.has(name) || LOADER_SHAPES.some((shape) => shape.test(name));
const isSecret = (name: string): boolean =>
  isSecretName(name) || KEPT_SECRETS.some((shape) => shape.test(name)) || (ADDRESS.test(name) && DATABASES.test(name));

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

function isOwnFolder(folder: string, workspace: Workspace): boolean {
  try {
    return isInWorkspace(resolvePath(folder, { cwd: "/" }), workspace);
  } catch (error) {
    if (error instanceof ClawError) return true;
    throw error;
  }
}

/**
 * The `PATH` of a command: no relative folders. Outside of the sandbox also no folders of the workspace, where the
 * agent could have put a program.
 */
function safePath({ env, workspace, manner }: EnvironmentRequest): string {
  const folders = (env["PATH"] ?? DEFAULT_PATH)
    .split(":")
    .filter((folder) => isAbsolute(folder) && (manner === "confined" || !isOwnFolder(folder, workspace)));
  return folders.length === 0 ? DEFAULT_PATH : folders.join(":");
}

/** Settings of git that override the settings of the repository. */
const GIT_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["diff.ignoreSubmodules", "all"],
  ["safe.bareRepository", "explicit"],
];

function gitSettings(): Record<string, string> {
  const entries = GIT_SETTINGS.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...(Object.fromEntries(entries) as Record<string, string>),
    GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

/** The environment of a command: without secrets, and without variables that make the command start other programs. */
export function commandEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { env, manner } = request;
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isSecret(entry[0]) && !isLoader(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: safePath(request),
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    ...(manner === "confined" ? { TMPDIR: "/tmp", GIT_CONFIG_NOSYSTEM: "1" } : {}),
    ...(manner === "listed" ? gitSettings() : {}),
  };
}
