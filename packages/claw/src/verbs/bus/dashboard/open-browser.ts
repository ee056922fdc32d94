import { spawn } from "node:child_process";
import { unmarkedEnvironment } from "../../../process/index.ts";

type Environment = NodeJS.ProcessEnv;

/** The command that opens an address in the person's browser; undefined where there is no desktop. Pure. */
export function browserCommand(env: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  const { BROWSER: named = "" } = env;
  // Several commands, or one with arguments, are meant for other programs.
  if (/^[\w./-]+$/.test(named)) return named;
  if (platform === "darwin") return env["SSH_CONNECTION"] === undefined ? "open" : undefined;
  if (platform !== "linux") return undefined;
  if ((env["DISPLAY"] ?? "") !== "" || (env["WAYLAND_DISPLAY"] ?? "") !== "") return "xdg-open";
  return env["WSL_DISTRO_NAME"] === undefined ? undefined : "wslview";
}

/** A command that still runs after this time has opened the browser, or is the browser. */
const OPENED_MS = 2000;

/** Opens an address in the person's browser. Resolves with false where there is none, or it does not start. */
export function openBrowser(url: string, env: Environment): Promise<boolean> {
  const command = browserCommand(env);
  if (command === undefined) return Promise.resolve(false);
  const child = spawn(command, [url], { env: unmarkedEnvironment(env), detached: true, stdio: "ignore" });
  child.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), OPENED_MS);
    const settle = (opened: boolean): void => {
      clearTimeout(timer);
      resolve(opened);
    };
    child.on("error", () => settle(false));
    child.on("exit", (code) => settle(code === 0));
  });
}
