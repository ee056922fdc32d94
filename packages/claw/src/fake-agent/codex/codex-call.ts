import type { FakeScenario } from "claw-contract";
import { readFlags, flagTable } from "../read-flags.ts";
import type { EarlyAnswer } from "../stage.ts";

/** Every flag of `codex exec` and `codex app-server` 0.166.0, and those of `codex` that are played. The last spelling is the main one. */
const CODEX_FLAGS = flagTable({
  none: `
    --json, --skip-git-repo-check, --ephemeral, --ignore-user-config, --ignore-rules, --oss, --strict-config, --worktree,
    --approve-for-me, --dangerously-bypass-approvals-and-sandbox, --dangerously-bypass-hook-trust, --last, --all,
    --no-daemon, --no-alt-screen, -h --help, -V --version, --stdio, --startup-sign-out, --print-startup-config, --analytics-default-enabled`,
  one: `
    -c --config, --enable, --disable, -m --model, --local-provider, -p --profile, -s --sandbox, -C --cd, --add-dir,
    --thread-source, --cyber-access-program, --output-schema, --color, -o --output-last-message, --listen, -i --image,
    --startup-client-info, --cloud-skills-snapshot, --code-mode-host, --ws-auth, --ws-token-file, --ws-token-sha256,
    --ws-shared-secret-file, --ws-issuer, --ws-audience, --ws-max-clock-skew-seconds`,
  maybe: "",
  many: "",
});

/** What a command line asks of `codex`. */
export interface CodexCall {
  readonly form: "exec" | "app-server" | "terminal";
  readonly json: boolean;
  /** Undefined or `-` is read from stdin. */
  readonly prompt: string | undefined;
  readonly model: string | undefined;
  /** Id of the thread to resume. */
  readonly threadId: string | undefined;
  readonly sandbox: string | undefined;
  readonly lastMessagePath: string | undefined;
  /** Settings that were given with `-c`. */
  readonly settings: readonly string[];
  /** Whether all calls run without permission. */
  readonly unguarded: boolean;
}

export const CODEX_VERSION = "0.166.0";

const HELP = `Usage: codex exec --json [OPTIONS] [PROMPT]
       codex app-server [OPTIONS]
       codex [OPTIONS] [PROMPT]

A stand-in for Codex ${CODEX_VERSION}, played by: claw fake-agent codex --scenario NAME
`;

const unknownFlag = (flag: string): EarlyAnswer => ({
  to: "stderr",
  code: 2,
  text: `error: unexpected argument '${flag}' found

  tip: to pass '${flag}' as a value, use '-- ${flag}'

Usage: codex exec [OPTIONS] [PROMPT]
       codex exec [OPTIONS] <COMMAND> [ARGS]

For more information, try '--help'.
`,
});

const NOT_PLAYED: EarlyAnswer = {
  to: "stderr",
  code: 1,
  text: "claw fake-agent: without a terminal, only codex exec and codex app-server can be played\n",
};

const FORMS: Readonly<Record<string, CodexCall["form"]>> = { exec: "exec", e: "exec", "app-server": "app-server" };

/** The prompt, and the thread of `exec resume ID`. */
function readWords([first, ...others]: readonly string[], hasLast: boolean): Pick<CodexCall, "prompt" | "threadId"> {
  if (first !== "resume") return { prompt: first, threadId: undefined };
  const [id, ...rest] = hasLast ? [undefined, ...others] : others;
  return { prompt: rest[0], threadId: id };
}

/** Reads a command line as `codex` does, with the same refusals in the same words. */
export function readCodexCall(
  argv: readonly string[],
  { unknown_flags }: FakeScenario,
  isTerminal = false,
): CodexCall | EarlyAnswer {
  const { flags, words, unknown } = readFlags(argv, CODEX_FLAGS);
  if (flags.has("--version")) return { to: "stdout", text: `codex-cli ${CODEX_VERSION}\n`, code: 0 };
  if (flags.has("--help")) return { to: "stdout", text: HELP, code: 0 };
  if (unknown !== undefined && unknown_flags !== "accept") return unknownFlag(unknown);
  const [name = "", ...rest] = words;
  const form = FORMS[name] ?? (isTerminal ? "terminal" : undefined);
  if (form === undefined) return NOT_PLAYED;
  return {
    form,
    json: flags.has("--json"),
    ...readWords(form === "terminal" ? words : rest, flags.has("--last")),
    settings: flags.get("--config") ?? [],
    model: flags.get("--model")?.at(-1),
    sandbox: flags.get("--sandbox")?.at(-1),
    lastMessagePath: flags.get("--output-last-message")?.at(-1),
    unguarded: flags.has("--dangerously-bypass-approvals-and-sandbox"),
  };
}
