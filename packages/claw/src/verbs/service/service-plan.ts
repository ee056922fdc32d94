import { realpathSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { DaemonFlags } from "../../daemon/index.ts";
import { findDaemon, flagsOfDaemon } from "../../daemon/index.ts";
import { ClawError, shellQuote } from "claw-contract";
import { stateFolder } from "../../files/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { launchdPlist } from "./launchd-plist.ts";
import { systemdUnit } from "./systemd-unit.ts";

export type ServiceManager = "systemd" | "launchd";

/** What a service is to run. */
export interface ServicePlan {
  readonly name: string;
  readonly workspace: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Service extends ServicePlan {
  readonly manager: ServiceManager;
  readonly path: string;
  readonly text: string;
}

const MANAGERS: Partial<Record<NodeJS.Platform, ServiceManager>> = { linux: "systemd", darwin: "launchd" };

function chooseManager(named: ServiceManager | undefined, platform: NodeJS.Platform): ServiceManager {
  const manager = named ?? MANAGERS[platform];
  if (manager !== undefined) return manager;
  throw new ClawError("INVALID_FLAG_VALUE", `claw knows no service manager of ${platform}`, {
    operation: "choose_manager",
    target: "--manager",
    hint: "Start the daemon yourself with claw up, or name a manager with --manager to see its file.",
  });
}

/** Variables by which the daemon finds agents, and its own files. No variable that may hold a secret is written. */
const HANDED_ON = ["PATH", "HOME", "LANG", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAW_CONFIG_HOME"];

const environmentOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(HANDED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flagWords = (flags: DaemonFlags): string[] =>
  Object.entries(flags)
    .filter(([, value]) => value !== false && value !== undefined)
    .map(([name, value]) => (value === true ? `--${kebab(name)}` : `--${kebab(name)}=${String(value)}`));

/** A folder may have any name; a service's name is short and of plain letters, and no two folders share one. */
function nameOf(workspace: string): string {
  const words = basename(workspace).split(/[^A-Za-z0-9]/);
  const plain = words
    .filter((word) => word !== "")
    .join("-")
    .slice(0, 32);
  const id = basename(stateFolder(workspace)).slice(0, 8);
  return plain === "" ? id : `${plain}-${id}`;
}

const folderOf = (named: string | undefined, home: string, name: string): string =>
  named !== undefined && isAbsolute(named) ? named : join(home, name);

function placeOf(manager: ServiceManager, name: string, { HOME: home = "/", XDG_CONFIG_HOME }: NodeJS.ProcessEnv) {
  if (manager === "launchd") {
    const label = `claw.${name}`;
    return { name: label, path: join(home, "Library", "LaunchAgents", `${label}.plist`) };
  }
  const unit = `claw-${name}.service`;
  return { name: unit, path: join(folderOf(XDG_CONFIG_HOME, home, ".config"), "systemd", "user", unit) };
}

/** The service of the working folder, as this program would write it now. */
export function planService(
  named: ServiceManager | undefined,
  { cwd, env, program }: Pick<Ports, "cwd" | "env" | "program">,
  platform: NodeJS.Platform = process.platform,
): Service {
  const manager = chooseManager(named, platform);
  const workspace = realpathSync(cwd);
  const running = findDaemon(cwd);
  const flags = running === undefined ? {} : flagsOfDaemon(cwd, running);
  const argv = [...program, "up", "--foreground", `--cwd=${workspace}`, ...flagWords(flags)];
  const plan = { ...placeOf(manager, nameOf(workspace), env), workspace, argv, env: environmentOf(env) };
  return { ...plan, manager, text: manager === "systemd" ? systemdUnit(plan) : launchdPlist(plan) };
}

/** The commands that start a service, now and with the user's session. */
export function startCommands({ manager, name, path }: Service, isDaemonRunning: boolean): string[] {
  const stop = isDaemonRunning ? ["claw down"] : [];
  if (manager === "launchd") return [...stop, `launchctl bootstrap gui/$(id -u) ${shellQuote(path)}`];
  return [
    ...stop,
    "systemctl --user daemon-reload",
    `systemctl --user enable --now ${name}`,
    "loginctl enable-linger   # to start it at boot, before you log in",
  ];
}

/** The commands that stop a service before its file is removed. */
export const stopCommands = ({ manager, name }: Service): string[] =>
  manager === "launchd" ? [`launchctl bootout gui/$(id -u)/${name}`] : [`systemctl --user disable --now ${name}`];
