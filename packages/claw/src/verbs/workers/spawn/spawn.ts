import type { Orchestrator } from "claw-client";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, OLDEST } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { openOrchestrator, requireDaemon } from "../../bus/open-bus.ts";
import { dialogsOf, settleDialogs } from "../first-start/settle-dialogs.ts";
import { followWorker, STARTING } from "./follow-worker.ts";
import { readSpawn, wouldAffect } from "./read-spawn.ts";
import { spawnText, failedChecks, requireFine } from "./spawn-verdict.ts";

type Input = VerbInput<"spawn">;
type Output = VerbOutput<"spawn">;

/** Makes the error for a wait that ended early. The error names the worker, because the worker goes on. */
function stoppedError({ signal }: Ports, peerId: string): ClawError {
  const why = signal.reason instanceof ClawError ? signal.reason : undefined;
  return new ClawError(why?.code ?? "BUS_UNREACHABLE", why?.message ?? "the bus closed before the worker started", {
    operation: "spawn",
    target: peerId,
    hint: `The worker goes on. Follow it: claw ps, claw events --topic 'worker.${peerId}.**'.`,
    details: { ...why?.options.details, peer_id: peerId },
  });
}

/**
 * Begins to join the bus and returns before the bus has answered, so that the caller can prepare the spawn meanwhile.
 */
async function greet(ports: Ports): Promise<() => Promise<Orchestrator>> {
  const joining = Promise.resolve(ports).then(openOrchestrator);
  joining.catch(() => undefined);
  await new Promise(setImmediate);
  return () => joining;
}

/** Prepares the request to the daemon. Settles the dialogs of the agent's first start beforehand. */
async function prepare(input: Input, ports: Ports): ReturnType<typeof readSpawn> {
  const request = await readSpawn(input, ports);
  const env = { ...ports.env, ...(request.env === "" ? null : request.env) };
  if (input.interactive) await settleDialogs(dialogsOf(request.harness, { cwd: ports.cwd, env }), input, ports);
  return request;
}

async function spawn(input: Input, ports: Ports): Promise<Output> {
  const joined = await greet(ports);
  const request = await prepare(input, ports).catch(async (error: unknown) => {
    // An error in the input counts more than an error of the bus.
    await joined().then(
      (bus) => bus.close(),
      () => undefined,
    );
    throw error;
  });
  const bus = await joined();
  try {
    const { cursor: from = OLDEST } = await bus.ready();
    const { peerId, name, pid, worktree, folder, machine } = await bus.request("worker.spawn", request);
    const started = { progress: STARTING, overBudget: false };
    const wanted = { peerId, wait: input.wait, from, checks: input.check?.length ?? 0 };
    const followed = input.wait === "none" ? started : await followWorker(bus, wanted);
    if (followed === undefined) throw stoppedError(ports, peerId);
    const output: Output = {
      peer_id: peerId,
      name,
      pid,
      harness: request.harness,
      ...followed.progress,
      worktree,
      folder,
      ...(machine === undefined ? {} : { machine }),
      effect: "created",
    };
    const fine = requireFine(output, { wait: input.wait, overBudget: followed.overBudget });
    const failed = failedChecks(fine);
    if (failed !== null) ports.notes.warn(`CHECKS_FAILED: ${failed}`);
    return fine;
  } finally {
    await bus.close();
  }
}

function preview(input: Input, harness: Output["harness"], ports: Ports): Output {
  requireDaemon(ports);
  const would_affect = wouldAffect(ports, input);
  const nothing = { peer_id: "", pid: 0, harness, worktree: null, folder: would_affect[0] ?? "" };
  return { ...nothing, name: input.name ?? "", ...STARTING, effect: "would_create", would_affect };
}

export const handler = handle("spawn", {
  run: async (input, ports) => {
    if (!input.dryRun) return spawn(input, ports);
    const { harness } = await readSpawn(input, ports);
    return preview(input, harness, ports);
  },
  show: spawnText,
});
