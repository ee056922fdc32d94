import { LIMITS } from "claw-contract";
import { runGit } from "../../../../../process/index.ts";
import { declined, defineCommand, said } from "../../command.ts";

type Ended = Awaited<ReturnType<typeof runGit>>;

/** Git's empty tree, to which a repository without commits is compared. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function git(args: readonly [command: string, ...string[]], cwd: string, signal: AbortSignal): Promise<Ended> {
  const limits = { timeoutMs: LIMITS.diffTimeoutMs, maxOutputBytes: LIMITS.diffBytes + 1 };
  return runGit({ args, cwd, ...limits }, signal);
}

function boundedDiff(text: string): string {
  if (Buffer.byteLength(text) <= LIMITS.diffBytes) return text.trimEnd();
  const kept = Buffer.from(text).subarray(0, LIMITS.diffBytes).toString();
  return `${kept}\n(cut after ${LIMITS.diffBytes} bytes; \`git diff\` shows the rest)`;
}

const stdoutOf = (ended: Ended): string | undefined =>
  ended.kind === "exited" && ended.code === 0 ? ended.stdout : undefined;

export const diffCommand = defineCommand({
  name: "diff",
  responsibility: "Shows what has changed in this folder since the last commit.",
  run: async (_words, { ports: { cwd } }, signal) => {
    const head = await git(["rev-parse", "--verify", "--quiet", "HEAD"], cwd, signal);
    const base = stdoutOf(head) === undefined ? EMPTY_TREE : "HEAD";
    const changes = stdoutOf(await git(["diff", "--no-color", base, "--", "."], cwd, signal));
    const strangers = stdoutOf(await git(["ls-files", "--others", "--exclude-standard"], cwd, signal));
    signal.throwIfAborted();
    if (changes === undefined || strangers === undefined) return declined("Git sees no repository here.");
    const parts = [
      ...(changes === "" ? [] : [boundedDiff(changes)]),
      ...(strangers === "" ? [] : [boundedDiff(`Not in git yet:\n${strangers}`)]),
    ];
    return said(parts.length === 0 ? "Nothing has changed." : parts.join("\n\n"));
  },
});
