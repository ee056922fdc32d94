import { createHash } from "node:crypto";
import type { McpChoices, Ports } from "../../verbs/index.ts";
import { findDoor } from "../../verbs/index.ts";
import type { GuestToken, OpenGuest } from "../http/guests.ts";
import { listenTasks } from "../layer/tasks/listen-tasks.ts";
import { clawsTables } from "./claws-tables.ts";
import { createToolHost } from "./tool-host.ts";
import type { RequestStates } from "./waiting/request-state.ts";
import { createWaitKeep } from "./waiting/wait-keep.ts";

/** The daemon runs already. The address of a request chooses the tools. */
const CHOICES: McpChoices = { tools: "default", start: false, holdSeconds: 45 };

const NAME = "mcp";

/** The secret that tells the holder of a token from others. The bearer alone could make it. */
const instanceOf = (bearer: string): string => createHash("sha256").update(`mcp\0${bearer}`).digest("hex");

/** Joins the bus for the holder of a token, in the token's role and with its name. Rejects with the bus's refusal. */
export async function openGuest(
  ports: Ports,
  states: RequestStates,
  { bearer, role, peer }: GuestToken,
): Promise<OpenGuest> {
  const instance = instanceOf(bearer);
  let leave = (): void => undefined;
  const gone = new Promise<void>((resolve) => (leave = resolve));
  const host = createToolHost(CHOICES, ports, {
    keep: createWaitKeep(states),
    seating: {
      caller: { id: instance, role },
      seat: {
        name: peer ?? NAME,
        role,
        instance,
        door: () => ({ socket: findDoor(ports).socket, bearer: () => bearer }),
        ended: leave,
      },
    },
  });
  await host.seat.join(ports.signal);
  return {
    caller: host.caller,
    tables: { default: clawsTables(host, ports), all: clawsTables(host, ports, "all") },
    followTasks: (listening, send) => listenTasks(host.tasks, listening, send),
    gone,
    close: () => host.close(),
  };
}
