import type { VerbInput, VerbOutput, WorkerView } from "claw-contract";
import { ClawError } from "claw-contract";
import { abortWorkers } from "./abort-workers.ts";
import { requireConsent } from "../../runtime/require-consent.ts";
import { giveCommand } from "./give-command.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { showDone } from "./show-outcome.ts";
import { plural } from "../../text/text-layout.ts";
import { watchBus } from "../../bus/ask-bus.ts";

type Input = VerbInput<"abort">;
type Output = VerbOutput<"abort">;

async function running(ports: Ports): Promise<readonly WorkerView[]> {
  return watchBus(ports, async (bus) => {
    const { workers } = await bus.request("worker.list");
    return workers.filter(({ ended }) => !ended);
  });
}

const together = (workers: NonNullable<Output["workers"]>, effect: Output["effect"]): Output => ({
  worker: null,
  name: "all",
  command_id: null,
  sequence: 0,
  step: null,
  steps: [],
  workers,
  effect,
});

async function abortAll(input: Input, ports: Ports): Promise<Output> {
  const meant = await running(ports);
  const named = meant.map(({ peer_id, name }) => ({ worker: peer_id, name, step: null, failure: null }));
  if (meant.length === 0) return together([], "noop");
  const topics = meant.map(({ peer_id }) => `cmd.${peer_id}.abort`);
  if (input.dryRun) return { ...together(named, "would_create"), would_affect: topics };
  const question = `Stop ${plural(meant.length, "worker")} (${meant.map(({ name }) => name).join(", ")})`;
  const consent = { question, operation: "abort", target: "workers", yes: input.yes };
  await requireConsent({ ...consent, partial: together(named, "noop") }, ports);
  const outcome = together(await abortWorkers(meant, input, ports), "created");
  const failed = outcome.workers?.filter(({ failure }) => failure !== null) ?? [];
  const [first] = failed;
  if (first === undefined || first.failure === null) return outcome;
  throw new ClawError("COMMAND_EXPIRED", `${plural(failed.length, "worker")} did not stop: ${first.failure.message}`, {
    operation: "abort",
    target: first.worker,
    partial: outcome,
  });
}

/** Requires either the name of a worker or `--all`, not both. Throws MISSING_ARGUMENT otherwise. */
function requireOne({ worker, all }: Input): void {
  if ((worker === undefined) === all) return;
  throw new ClawError("MISSING_ARGUMENT", all ? "name no worker beside --all" : "no worker is named", {
    operation: "parse_arguments",
    target: "worker",
    hint: "Name one worker, or give --all.",
  });
}

export const handler = handle("abort", {
  run: (input, ports) => {
    requireOne(input);
    const { worker, wait, dryRun, reason } = input;
    if (worker === undefined) return abortAll(input, ports);
    return giveCommand({ id: worker, action: "abort", data: { reason }, wait, dryRun }, ports);
  },
  show: (output, paint) => {
    const { workers, effect } = output;
    if (workers === undefined) return showDone("Stopped", "stop")(output, paint);
    if (workers.length === 0) return "No worker runs.";
    const names = workers.map(({ name }) => paint.bold(name)).join(", ");
    return `${effect === "would_create" ? "Would stop" : "Stopped"} ${plural(workers.length, "worker")}: ${names}`;
  },
});
