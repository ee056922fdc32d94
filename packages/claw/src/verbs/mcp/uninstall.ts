import type { VerbInput, VerbOutput } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { chooseFile } from "./clients/choose-file.ts";
import type { ConfigEdit } from "./clients/edit-config.ts";
import { editConfig } from "./clients/edit-config.ts";
import { loadFormat } from "./clients/load-format.ts";
import { MCP_CLIENT_TABLE, SERVER_NAME } from "./clients/mcp-clients.ts";
import { findOwnCommand, removeByClient } from "./clients/own-command.ts";
import type { UninstallPlan } from "./clients/plan-uninstall.ts";
import { planUninstall } from "./clients/plan-uninstall.ts";
import { showChange } from "./clients/show-change.ts";

type Output = VerbOutput<"mcp uninstall">;

function effectOf({ change }: UninstallPlan, dryRun: boolean): Output["effect"] {
  if (change === undefined) return "noop";
  if (change.bytes === null) return dryRun ? "would_delete" : "deleted";
  return dryRun ? "would_update" : "updated";
}

async function uninstall({ client: name, scope, dryRun }: VerbInput<"mcp uninstall">, ports: Ports): Promise<Output> {
  const client = MCP_CLIENT_TABLE[name];
  const format = await loadFormat(client);
  const named = chooseFile(client, scope, ports);
  const edit = (isDry: boolean): Promise<ConfigEdit<UninstallPlan>> =>
    editConfig(
      { named, scope, plan: (file, store) => planUninstall(file, { client, format }, store), dryRun: isDry },
      ports,
    );
  const planned = await edit(true);
  const program = findOwnCommand(name, scope, ports);
  const isByClient = program !== undefined && planned.plan.change !== undefined && !planned.plan.restored;
  if (isByClient && !dryRun) await removeByClient(program, ports);
  const done = dryRun ? planned : await edit(false);
  const byClient = isByClient && (dryRun || done.plan.change === undefined);
  const { plan, backup } = byClient ? planned : done;
  const remarks = plan.isForeign ? [`The server ${SERVER_NAME} in ${named} is not claw's, and stays.`] : [];
  const effect = effectOf(plan, dryRun);
  return {
    client: name,
    scope,
    path: named,
    server: SERVER_NAME,
    via: byClient ? "client" : "file",
    diff: plan.diff,
    remarks,
    backup,
    restored: plan.restored,
    effect,
    ...(dryRun ? { would_affect: effect === "noop" ? [] : [named] } : {}),
  };
}

export const handler = handle("mcp uninstall", {
  run: (input, ports) => uninstall(input, ports),
  show: (output, paint) =>
    output.effect === "noop"
      ? [`${output.path} has no entry of claw.`, ...output.remarks].join("\n")
      : showChange(output, paint),
});
