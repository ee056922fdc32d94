import type { ToolInput } from "claw-contract";
import { ClawError } from "claw-contract";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler, ToolWork } from "../claws-tool.ts";
import { outcomeData } from "./outcome-data.ts";

type Input = ToolInput<"claws_run">;
type Asked = NonNullable<Input["workers"]>[number];

/** The workers that a call asks for: `mission` alone is one. */
function askedWorkers({ mission, name, workers }: Input): readonly Asked[] {
  if (workers !== undefined) return workers;
  if (mission !== undefined) return [{ mission, name }];
  throw new ClawError("MISSING_PROMPT", "there is nothing to do", {
    operation: "run",
    target: "mission",
    hint: "Give mission for one worker, or workers for several.",
  });
}

async function start(asked: Asked, shared: Input, { ports, host }: ToolWork): Promise<string> {
  const parent = host.seat.peerId();
  const { data } = await callVerb(
    "spawn",
    {
      mission: asked.mission,
      name: asked.name,
      harness: asked.harness ?? shared.harness ?? "auto",
      model: asked.model ?? shared.model,
      worktree: shared.worktree ?? false,
      check: asked.checks ?? shared.checks,
      budgetUsd: asked.budget_usd ?? shared.budget_usd,
      permissionMode: shared.permission_mode,
      wait: "none",
      ...(parent === undefined ? {} : { parent }),
    },
    ports,
  );
  return data.peer_id;
}

/** Starts workers one after another, so that a refusal names the worker it is about. */
export const runTool: ToolHandler<"claws_run"> = async (input, work) => {
  const bus = await host(work);
  await bus.close();
  const workers: string[] = [];
  for (const asked of askedWorkers(input)) workers.push(await start(asked, input, work));
  return { data: await outcomeData({ workers, wait_seconds: input.wait_seconds }, work.ports) };
};

/** Joins the bus, so that the workers know whose they are. */
const host = ({ host: { seat }, ports }: ToolWork) => seat.join(ports.signal);
