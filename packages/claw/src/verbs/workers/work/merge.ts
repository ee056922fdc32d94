import type { VerbInput, VerbOutput } from "claw-contract";
import { shellQuote } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { plural } from "../../text/text-layout.ts";
import { onBus } from "../../bus/ask-bus.ts";
import { undoMergeText } from "./undo-merge-text.ts";

type Input = VerbInput<"merge">;
type Output = VerbOutput<"merge">;

async function run(input: Input, ports: Ports): Promise<Output> {
  const { mergeWorker } = await import("./merge-worker.ts");
  return onBus(ports, async (bus) => {
    return await mergeWorker(bus, input, ports);
  });
}

export const handler = handle("merge", {
  run,
  show: ({ name, machine, branch, onto: into, before, commits_count: commits, files, accepted, effect }, paint) => {
    const what = `${plural(commits, "commit")} of ${paint.bold(name)} (${branch})`;
    const onto = machine === undefined ? into : `${into} of machine ${machine}`;
    if (effect === "noop") return `Nothing to merge: ${onto} has all that ${paint.bold(name)} committed`;
    if (effect === "would_update") return `Would merge ${what} into ${onto}: ${plural(files.length, "file")}`;
    return [
      `${paint.green("Merged")} ${what} into ${onto}: ${plural(files.length, "file")}`,
      undoMergeText({ before, onto }, paint),
      `${paint.dim("clear up")}  ${paint.cyan(`claw ${accepted ? "rm" : "accept"} ${shellQuote(name)}`)}`,
    ].join("\n");
  },
});
