import { handle } from "../runtime/handle.ts";
import { printableLine } from "../text/text-width.ts";
import { table } from "../text/text-layout.ts";
import { ago } from "../text/times.ts";
import { watchBus } from "./ask-bus.ts";

export const handler = handle("machines", {
  run: (_input, ports) =>
    watchBus(ports, async (bus) => {
      const { machines } = await bus.request("machine.list");
      return { machines_count: machines.length, machines: [...machines] };
    }),
  show: ({ machines }, paint) => {
    if (machines.length === 0) return "This daemon is in no cluster. Start one with: claw up --bus nats://HOST";
    const rows = machines.map(({ name, here, up, running, slots, version, last_seen: seen }) => [
      `${printableLine(name)}${here ? " (here)" : ""}`,
      up ? "up" : "away",
      `${running}/${slots}`,
      printableLine(version),
      ago(seen, Date.now()),
    ]);
    return table(["MACHINE", "STATE", "WORKERS", "VERSION", "SEEN"], rows, paint);
  },
});
