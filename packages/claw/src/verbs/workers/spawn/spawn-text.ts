import type { VerbOutput } from "claw-contract";
import { shellQuote } from "claw-contract";
import type { Paint } from "../../runtime/paint.ts";
import { pairs } from "../../text/text-layout.ts";
import { changesText } from "../work/changes-text.ts";
import { failedChecks } from "./spawn-verdict.ts";

type Output = VerbOutput<"spawn">;
type Row = readonly [label: string, value: string];

/**
 * Rows about the worktree of a worker: the path and, after the end, the changes and the verbs to look at and merge
 * them.
 */
function worktreeRows({ name, worktree, changes }: Output, paint: Paint): Row[] {
  if (worktree === null) return [];
  const place: Row = ["worktree", `${worktree.path} on ${worktree.branch}`];
  if (changes === null) return [place];
  const changed = changesText(changes, worktree.branch);
  // The daemon removes a worktree without changes.
  if (changed === null) return [["changed", "nothing"]];
  const worker = shellQuote(name);
  const merge = `claw merge ${worker}${changes.uncommitted === 0 ? "" : " --commit"}`;
  return [place, ["changed", changed], ["look, take", `${paint.cyan(`claw diff ${worker}`)}, ${paint.cyan(merge)}`]];
}

function checkRows(output: Output, paint: Paint): Row[] {
  const { checks } = output;
  if (checks.length === 0) return [];
  const isGood = failedChecks(output) === null;
  const text = checks.map(({ command, passed }) => `${command}: ${passed ? "passed" : "failed"}`).join(", ");
  return [["checks", isGood ? paint.green(text) : paint.red(text)]];
}

const isOver = ({ state }: Output): boolean => state !== "starting" && state !== "working";

/** A worker as `spawn` shows it to a person. */
export function spawnText(worker: Output, paint: Paint): string {
  if (worker.effect === "would_create") return `Would start a worker that runs ${worker.harness}.`;
  const { name, peer_id: id, summary } = worker;
  return pairs(
    [
      ["worker", `${paint.bold(name)} ${paint.dim(`(${id}, process ${worker.pid})`)}`],
      ["agent", worker.harness],
      ["state", worker.state === "finished" ? paint.green(worker.state) : worker.state],
      ...(summary === null ? [] : [["summary", summary] as const]),
      ...checkRows(worker, paint),
      ...worktreeRows(worker, paint),
      ...(worker.terminal_id === null ? [] : [["join in", paint.cyan(`claw attach ${name}`)] as const]),
      ["see all", paint.cyan("claw ps")],
      ["its log", paint.cyan(`claw logs ${isOver(worker) ? "" : "--follow "}${name}`)],
    ],
    paint,
  );
}
