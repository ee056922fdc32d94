import type { VerbInput, VerbOutput } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import { pairs } from "../../text/text-layout.ts";
import { watchBus } from "../../bus/ask-bus.ts";

type Output = VerbOutput<"diff">;

async function run({ worker, stat }: VerbInput<"diff">, ports: Ports): Promise<Output> {
  const { baseOf, findWorker, requireChanges, requireWork, takeLeft, worktreeOutput } =
    await import("./worker-work.ts");
  const { treeDiff } = await import("../../../process/index.ts");
  return watchBus(ports, async (bus) => {
    const { view, elsewhere } = await findWorker(bus, worker);
    if (elsewhere !== null) {
      const { diffElsewhere } = await import("./work-elsewhere.ts");
      return diffElsewhere(bus, view, { machine: elsewhere, stat });
    }
    const work = requireWork(view);
    const problem = await takeLeft(work, ports);
    const base = await baseOf(work.worktree);
    const { files, commits, uncommitted } = await requireChanges(work, base);
    const tree = { path: work.worktree.path, base };
    const patch = stat ? null : ((await treeDiff(tree, LIMITS.worktreeDiffBytes)) ?? "");
    return {
      peer_id: work.peerId,
      name: work.name,
      worktree: worktreeOutput(work.worktree),
      base,
      files: [...files],
      commits: [...commits],
      uncommitted: [...uncommitted],
      problem,
      patch,
      patch_cut: patch !== null && Buffer.byteLength(patch) >= LIMITS.worktreeDiffBytes,
    };
  });
}

const paintLine = (line: string, paint: Paint): string => {
  if (/^(?:\+\+\+|---|diff |index |new file|deleted file)/.test(line)) return paint.dim(line);
  if (line.startsWith("@@")) return paint.cyan(line);
  return line.startsWith("+") ? paint.green(line) : line.startsWith("-") ? paint.red(line) : line;
};

function fileLine({ path, insertions, deletions }: Output["files"][number]): string {
  const lines = insertions === null || deletions === null ? "binary" : `+${insertions} -${deletions}`;
  return `${lines.padEnd(LINES_COLUMNS)}${path}`;
}

const LINES_COLUMNS = 14;

export const handler = handle("diff", {
  run,
  show: (output, paint) => {
    const { name, machine, worktree, files, commits, uncommitted, problem, patch, patch_cut: isCut } = output;
    if (files.length === 0 && commits.length === 0) return `${paint.bold(name)} changed nothing in ${worktree.path}`;
    const facts = pairs(
      [
        ...(machine === undefined ? [] : [["machine", machine] as const]),
        ["worktree", worktree.path],
        ["branch", worktree.branch],
        ...commits.map(({ sha, subject }) => ["commit", `${paint.yellow(sha.slice(0, 10))} ${subject}`] as const),
        ...uncommitted.map((path) => ["uncommitted", path] as const),
        ...(problem === null ? [] : [["not taken", paint.yellow(problem)] as const]),
        ["take it", paint.cyan(`claw merge ${name}${uncommitted.length === 0 ? "" : " --commit"}`)],
      ],
      paint,
    );
    const body =
      patch === null
        ? files.map(fileLine)
        : patch
            .trimEnd()
            .split("\n")
            .map((line) => paintLine(line, paint));
    const rest = isCut ? [paint.dim(`(cut; all of it: git -C ${worktree.path} diff ${output.base})`)] : [];
    return [facts, "", ...body, ...rest].join("\n");
  },
});
