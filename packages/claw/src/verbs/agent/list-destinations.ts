import type { Ports } from "../runtime/handle.ts";
import { listCommands } from "./slash-commands/list-commands.ts";
import type { Destination } from "./route-prompt.ts";

/** Everything a prompt can be about in this folder. No server of tools is started for it. */
export async function listDestinations(ports: Ports): Promise<Destination[]> {
  const { listTools } = await import("./open-agent.ts");
  const [tools, commands] = await Promise.all([listTools(ports), listCommands(ports)]);
  return [
    ...commands.map(({ name, responsibility, sourceHint }): Destination => {
      return { kind: "command", name, aliases: [], responsibility, sourceHint };
    }),
    ...tools.map(({ name, aliases, responsibility, sourceHint }): Destination => {
      return { kind: "tool", name, aliases, responsibility, sourceHint };
    }),
  ];
}
