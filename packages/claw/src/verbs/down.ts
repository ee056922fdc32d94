import { findDaemon, stopDaemon } from "../daemon/index.ts";
import { handle } from "./handle.ts";

export const handler = handle("down", {
  run: async ({ dryRun }, ports) => {
    const daemon = findDaemon(ports.cwd);
    if (daemon === undefined) return { stopped: false, pid: null, effect: "noop" };
    if (dryRun) return { stopped: false, pid: daemon.pid, effect: "would_delete", would_affect: [daemon.socket] };
    await stopDaemon(daemon, ports.signal);
    return { stopped: true, pid: daemon.pid, effect: "deleted" };
  },
  show: ({ stopped, pid, effect }) => {
    if (pid === null) return "No daemon runs here.";
    if (effect === "would_delete") return `Would stop process ${pid}`;
    return stopped ? `Stopped process ${pid}` : `Process ${pid} was stopped before`;
  },
});
