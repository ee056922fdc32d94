import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { runCommand } from "../../process/index.ts";
import type { Ports } from "../runtime/handle.ts";
import type { Service } from "./service-plan.ts";

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of the service manager; undefined when it is not there or does not answer. */
async function ask(argv: readonly [string, ...string[]], { signal, env }: Ports): Promise<Outcome | undefined> {
  const limits = { timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runCommand({ argv, cwd: "/", env, withStderr: true, isolated: true, ...limits }, signal);
  signal.throwIfAborted();
  return result.kind === "exited" ? { code: result.code, output: result.stdout } : undefined;
}

/** What the manager's own check says of a service's file; null when there is no check here. */
export async function verifyService({ manager, path }: Service, ports: Ports): Promise<boolean | null> {
  if (manager === "launchd") return (await ask(["plutil", "-lint", path], ports))?.code === 0 || null;
  // The check wants a folder for sockets, which a system without a session has not.
  const sockets = mkdtempSync(join(tmpdir(), "claw-service-"));
  try {
    const env = { ...ports.env, XDG_RUNTIME_DIR: sockets };
    const checked = await ask(["systemd-analyze", "verify", "--user", path], { ...ports, env });
    if (checked === undefined) return null;
    const found = checked.output.trim();
    if (found !== "") ports.notes.warn(`SERVICE_CHECK: ${found}`);
    return checked.code === 0 && found === "";
  } finally {
    rmSync(sockets, { recursive: true, force: true });
  }
}

export interface ServiceState {
  readonly reachable: boolean;
  readonly enabled: boolean | null;
  readonly active: boolean | null;
}

const UNKNOWN: ServiceState = { reachable: false, enabled: null, active: null };

/** What the manager says of a service. */
export async function serviceState({ manager, name }: Service, ports: Ports): Promise<ServiceState> {
  if (manager === "launchd") {
    const listed = await ask(["launchctl", "list", name], ports);
    return listed === undefined ? UNKNOWN : { reachable: true, enabled: listed.code === 0, active: listed.code === 0 };
  }
  const show = ["systemctl", "--user", "show", "--property=ActiveState,UnitFileState", name] as const;
  const shown = await ask(show, ports);
  if (shown?.code !== 0) return UNKNOWN;
  const is = (property: string, value: string): boolean => shown.output.split("\n").includes(`${property}=${value}`);
  return { reachable: true, enabled: is("UnitFileState", "enabled"), active: is("ActiveState", "active") };
}
