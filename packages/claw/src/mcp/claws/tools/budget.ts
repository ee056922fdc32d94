import type { ToolInput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { ToolHandler } from "../claws-tool.ts";
import type { ToolPorts } from "../tool-host.ts";

type Input = ToolInput<"claws_budget">;

/** Limits what a worker or a fleet may spend. Resolves with whether that changed anything. */
async function setBudget({ worker, fleet, usd, tokens }: Input, ports: ToolPorts): Promise<boolean> {
  const bus = await ports.seat.join(ports.signal);
  try {
    const amounts = { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
    const budget = Object.keys(amounts).length === 0 ? null : amounts;
    const scope = fleet === undefined ? "worker" : "fleet";
    const named = fleet ?? worker ?? "";
    const { peer_id: id } =
      scope === "worker" ? await bus.request("worker.find", { target: named }) : { peer_id: null };
    const { changed } = await bus.request("budget.set", { scope, target: id ?? named, budget });
    return changed;
  } finally {
    await bus.close();
  }
}

function refuseUnclear({ worker, fleet, usd, tokens }: Input): void {
  const isBoth = worker !== undefined && fleet !== undefined;
  const isNeither = worker === undefined && fleet === undefined && (usd !== undefined || tokens !== undefined);
  if (!isBoth && !isNeither) return;
  throw new ClawError("INVALID_FLAG_VALUE", "a budget is of one worker or of one fleet", {
    operation: "set_budget",
    target: "worker",
    hint: "Give either worker or fleet.",
  });
}

/** Without worker and fleet, lists all budgets; with one of them and no amount, takes its limit away. */
export const handleBudget: ToolHandler<"claws_budget"> = async (input, { ports }) => {
  refuseUnclear(input);
  const isSet = input.worker !== undefined || input.fleet !== undefined;
  const changed = isSet ? await setBudget(input, ports) : false;
  const bus = await ports.seat.join(ports.signal);
  try {
    const { budgets } = await bus.request("budget.list");
    return { data: { changed, budgets } };
  } finally {
    await bus.close();
  }
};
