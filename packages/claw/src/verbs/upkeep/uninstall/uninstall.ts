import { rmSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { findDaemon, runningWorkers, stopDaemon } from "../../../daemon/index.ts";
import { removeTree, withFileErrors } from "../../../files/index.ts";
import { completionFiles } from "../../about/completion/completion-files.ts";
import { writeCompletion } from "../../about/completion/write-completion.ts";
import { removalCommands } from "../../mcp/clients/find-entries.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import type { Trace } from "./find-traces.ts";
import { findTraces } from "./find-traces.ts";

type Output = VerbOutput<"uninstall">;

const SHELLS = ["bash", "zsh", "fish"] as const;

/** A worker would go on alone, and its work would stay where no daemon tells of it. */
function requireNoWorkers({ cwd }: Ports): void {
  const names = runningWorkers(cwd).map(({ name }) => name);
  if (names.length === 0) return;
  throw new ClawError("WORKER_RUNNING", `these workers still run here: ${names.join(", ")}`, {
    operation: "uninstall",
    target: cwd,
    hint: "Wait for them, or stop them first: claw down --abort.",
  });
}

async function removeTrace({ what, path }: Trace, ports: Ports): Promise<void> {
  if (what === "daemon") {
    const daemon = findDaemon(ports.cwd);
    return daemon === undefined ? undefined : stopDaemon(daemon, ports.signal);
  }
  // A process of claw, this process too, may write compiled code to the cache when it ends.
  if (what === "cache") process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  if (what !== "completion") return withFileErrors("remove", path, () => removeTree(ports.files, path));
  for (const shell of SHELLS) {
    const files = completionFiles(shell, ports.env).filter((file) => file.path === path);
    writeCompletion(files, "uninstall", { dryRun: false, ports });
  }
  return undefined;
}

/** Commands that remove the parts which `uninstall` leaves. */
const nextCommands = (traces: readonly Trace[], removals: readonly string[]): string[] => [
  ...removals,
  ...(traces.some(({ what }) => what === "service") ? ["systemctl --user daemon-reload"] : []),
  "npm uninstall --global claw-cli",
];

async function uninstall({ data, yes, dryRun }: VerbInput<"uninstall">, ports: Ports): Promise<Output> {
  const { traces, kept } = findTraces(data, ports);
  const isPlan = dryRun || !yes;
  const removals = isAbsolute(ports.env["HOME"] ?? "") ? await removalCommands(ports) : [];
  if (!isPlan) {
    requireNoWorkers(ports);
    for (const trace of traces) await removeTrace(trace, ports);
  }
  const effect = isPlan ? "would_delete" : "deleted";
  return {
    removed: traces.map((trace) => ({ ...trace, effect })),
    kept,
    next: nextCommands(traces, removals),
    effect: traces.length === 0 ? "noop" : effect,
    ...(isPlan ? { would_affect: traces.map(({ path }) => path) } : {}),
  };
}

const NAMES: Readonly<Record<Trace["what"], string>> = {
  daemon: "the daemon at",
  service: "the service",
  completion: "completion in",
  cache: "the cache",
  secrets: "secrets in",
  data: "data in",
};

function show({ removed, kept, next, effect }: Output, paint: Paint): string {
  const isPlan = effect === "would_delete";
  const rows = removed.map(({ what, path }) => `  ${NAMES[what]} ${path}`);
  const head =
    removed.length === 0 ? ["claw left nothing here to remove."] : [isPlan ? "Would remove:" : "Removed:", ...rows];
  const stays =
    kept.length === 0 ? [] : ["Stays:", ...kept.map(({ path, reason }) => `  ${path} ${paint.dim(`(${reason})`)}`)];
  const then = isPlan ? [`To remove it: ${paint.cyan("claw uninstall --yes")}`] : [];
  return [...head, ...stays, ...then, `The program: ${next.map((command) => paint.cyan(command)).join(", ")}`].join(
    "\n",
  );
}

export const handler = handle("uninstall", { run: uninstall, show });
