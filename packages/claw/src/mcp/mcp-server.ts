import type { McpChoices, McpDoor, Ports } from "../verbs/index.ts";
import { createHttpFace } from "./http/http-face.ts";
import { openGuest } from "./claws/open-guest.ts";
import { clawsTables } from "./claws/claws-tables.ts";
import { createToolHost } from "./claws/tool-host.ts";
import { tasksWire } from "./layer/tasks/tasks-wire.ts";
import { createRequestStates, stateKey } from "./claws/waiting/request-state.ts";
import type { LineStreams } from "./stdio/line-transport.ts";
import { serveStreams } from "./stdio/serve-stdio.ts";

type HttpKeys = Parameters<McpDoor["openHttp"]>[1];

/** Makes the server of the daemon's HTTP listener. */
export function openHttp(ports: Ports, { secret, use }: HttpKeys): Awaited<ReturnType<McpDoor["openHttp"]>> {
  const states = createRequestStates(() => Date.now(), { key: stateKey(secret), use });
  return createHttpFace({ open: (token) => openGuest(ports, states, token) });
}

/** Serves one connection. Resolves with the number of messages that came, when the connection has ended. */
export async function serve(choices: McpChoices, ports: Ports, streams: LineStreams): Promise<number> {
  const host = createToolHost(choices, ports);
  try {
    return await serveStreams({
      tables: clawsTables(host, ports),
      caller: host.caller,
      wrap: (wire) => tasksWire(wire, host.tasks, host.caller),
      streams,
    });
  } finally {
    await host.close();
  }
}
