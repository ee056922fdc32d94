import type { VerbInput, VerbOutput } from "claw-contract";
import { isDeepStrictEqual } from "node:util";
import { findProgram } from "../../process/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { chooseFile } from "./clients/choose-file.ts";
import { readConfigFile } from "./clients/config-file.ts";
import type { ConfigEdit } from "./clients/edit-config.ts";
import { editConfig } from "./clients/edit-config.ts";
import { loadFormat } from "./clients/load-format.ts";
import { MCP_CLIENT_TABLE, SERVER_NAME } from "./clients/mcp-clients.ts";
import { addByClient, findOwnCommand } from "./clients/own-command.ts";
import type { InstallPlan, WantedEntry } from "./clients/plan-install.ts";
import { planInstall } from "./clients/plan-install.ts";
import { lineRemarks, serverLine } from "./clients/server-line.ts";
import { showChange } from "./clients/show-change.ts";

type Output = VerbOutput<"mcp install">;

interface Installation {
  readonly input: VerbInput<"mcp install">;
  readonly named: string;
  readonly wanted: WantedEntry;
}

function effectOf({ file, plan }: ConfigEdit<InstallPlan>, dryRun: boolean): Output["effect"] {
  if (plan.change === undefined) return "noop";
  if (file.bytes === undefined) return dryRun ? "would_create" : "created";
  return dryRun ? "would_update" : "updated";
}

function remarksOn({ input: { client, scope }, wanted }: Installation, ports: Ports): string[] {
  const { program } = wanted.client;
  const isFound = findProgram(program, { path: ports.env["PATH"], cwd: ports.cwd }).kind === "found";
  const missing = isFound ? [] : [`${program} is not on the PATH; ${client} reads the entry when it starts.`];
  return [...missing, ...lineRemarks(scope, ports)];
}

const edit = ({ input, named, wanted }: Installation, dryRun: boolean, ports: Ports) =>
  editConfig({ named, scope: input.scope, plan: (file) => planInstall(file, wanted), dryRun }, ports);

/** Lets the client add a new entry to its file. Undefined when claw has to edit the file. */
async function addThroughClient(own: Installation, ports: Ports): Promise<ConfigEdit<InstallPlan> | undefined> {
  const { input, named, wanted } = own;
  const program = findOwnCommand(input.client, input.scope, ports);
  if (program === undefined) return undefined;
  const planned = await edit(own, true, ports);
  if (!planned.plan.isNew || input.dryRun) return planned.plan.isNew ? planned : undefined;
  await addByClient(program, wanted.line, ports);
  const after = readConfigFile(named, input.scope, ports.cwd);
  const { client, format, line } = wanted;
  const entry = format.read({ path: named, text: after.text }, client.place);
  const argv = entry === undefined ? undefined : client.argvOf(entry);
  if (isDeepStrictEqual(argv, [...line.argv])) return planned;
  ports.announce(`${input.client} mcp add did not add the entry; claw edits the file.`);
  return undefined;
}

async function install(input: VerbInput<"mcp install">, ports: Ports): Promise<Output> {
  const { client: name, scope, dryRun } = input;
  const client = MCP_CLIENT_TABLE[name];
  const line = serverLine(scope, input, ports);
  const wanted = { client, format: await loadFormat(client), line, replace: input.replace };
  const own = { input, named: chooseFile(client, scope, ports), wanted };
  const byClient = await addThroughClient(own, ports);
  const done = byClient ?? (await edit(own, dryRun, ports));
  const effect = effectOf(done, dryRun);
  return {
    client: name,
    scope,
    path: own.named,
    server: SERVER_NAME,
    via: byClient === undefined ? "file" : "client",
    argv: [...line.argv],
    diff: done.plan.diff,
    remarks: remarksOn(own, ports),
    backup: done.backup,
    next: [...(input.start ? [] : ["claw up"]), "claw mcp status"],
    effect,
    ...(dryRun ? { would_affect: effect === "noop" ? [] : [own.named] } : {}),
  };
}

export const handler = handle("mcp install", {
  run: (input, ports) => install(input, ports),
  show: (output, paint) =>
    [showChange(output, paint), "", "Next:", ...output.next.map((command) => `  ${paint.cyan(command)}`)].join("\n"),
});
