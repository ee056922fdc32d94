import { join } from "node:path";
import { findProgram } from "../../process/index.ts";
import { commandEnvironment } from "./command-environment.ts";
import { reservePrivatePlaces } from "./private-folders.ts";
import { privateView } from "./private-view.ts";
import type { Confinement, Sandbox, SandboxPlace } from "./sandbox.ts";
import { systemView } from "./system-view.ts";
import { guardWorkspace } from "./workspace-guard.ts";
import { BUS_SOCKET, busView, SHOWN_BUS } from "./worker-bus.ts";
import { workspaceView } from "./workspace-view.ts";

/** No network, no sight of other processes, nothing left behind, no way to type into the terminal, no privileges. */
const ISOLATION = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];

/** The sandbox of Linux: namespaces with their own mounts. Null where bubblewrap is not installed. */
export function createBubblewrap({ workspace, env, home }: SandboxPlace): Sandbox | null {
  // Searched only in the system's folders: a `bwrap` in the workspace could be any program.
  const found = findProgram("bwrap", { path: "/usr/local/bin:/usr/bin:/bin", cwd: "/" });
  if (found.kind !== "found") return null;
  const path = commandEnvironment({ env, workspace, manner: "confined" })["PATH"] ?? "";
  const system = systemView(path, home);
  const flags = (confinement: Confinement): string[] => [
    ...ISOLATION,
    ...system.flags,
    ...workspaceView(workspace, confinement),
    ...privateView(workspace, confinement, system.shown),
    ...busView(confinement.bus),
    "--chdir",
    confinement.cwd,
  ];
  return {
    kind: "bubblewrap",
    wrap: (argv, confinement) => [found.path, ...flags(confinement), "--", ...argv],
    guard: (confinement) => {
      reservePrivatePlaces(workspace);
      return guardWorkspace(workspace, confinement);
    },
    busSocket: () => join(SHOWN_BUS, BUS_SOCKET),
  };
}
