import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findNatsServers } from "../../../../../scripts/nats/give-nats.mjs";

const POLL_MS = 5;

/** Path of the nats-server that tests start by default: `CLAW_NATS_SERVER`, or the oldest one of the machine. */
export function findNatsServer(env: NodeJS.ProcessEnv = process.env): string {
  const found = env["CLAW_NATS_SERVER"] || findNatsServers(env)[0]?.path;
  if (found === undefined) throw new Error("nats-server was not found: install it, or name it in CLAW_NATS_SERVER");
  return found;
}

export interface NatsServerOptions {
  /** Folder of the server's files, made if it is not there. A server that is started again in it keeps its streams. */
  readonly folder: string;
  /** Further lines of the server's configuration. */
  readonly config?: string;
  /** Port to listen on; a free one when absent. A server that starts again takes the port it had. */
  readonly port?: number;
  readonly binary?: string;
  /** The address to listen on; loopback when absent. */
  readonly address?: string;
  /** Words before the command. The program that they name becomes the server. */
  readonly within?: readonly string[];
}

/** A private nats-server with JetStream. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends the server with a signal. Resolves when the process has ended. Idempotent. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Starts a new process with the same files on the same port. Called after `kill`. */
  readonly restart: () => Promise<NatsServer>;
}

/** The server writes its addresses into a file once it listens. */
async function readUrl(folder: string, isAlive: () => boolean): Promise<string> {
  for (;;) {
    const name = readdirSync(folder).find((file) => file.endsWith(".ports"));
    const text = name === undefined ? "" : readFileSync(join(folder, name), "utf8");
    if (text.endsWith("}") || text.endsWith("}\n")) return (JSON.parse(text) as { nats: string[] }).nats[0] ?? "";
    if (!isAlive()) throw new Error(`nats-server ended at once: ${readFileSync(join(folder, "..", "log"), "utf8")}`);
    await setTimeout(POLL_MS);
  }
}

/** Starts a nats-server. The caller ends it with `kill`; it also ends with this process. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const { folder, config = "", port = -1, binary = findNatsServer(), address = "127.0.0.1", within = [] } = options;
  const ports = join(folder, "ports");
  rmSync(ports, { recursive: true, force: true });
  mkdirSync(ports, { recursive: true });
  writeFileSync(join(folder, "server.conf"), config);
  const log = join(folder, "log");
  const listen = ["-a", address, "-p", String(port), "--ports_file_dir", ports, "-l", log];
  const args = ["-c", join(folder, "server.conf"), ...listen, "-js", "-sd", join(folder, "store")];
  const [file = binary, ...words] = [...within, binary, ...args];
  const child = spawn(file, words, { cwd: folder, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  const end = (): void => void child.kill("SIGKILL");
  process.on("exit", end);
  void ended.then(() => process.off("exit", end));
  const url = await readUrl(ports, () => child.exitCode === null && child.signalCode === null);
  const taken = Number(new URL(url).port);
  return {
    url,
    port: taken,
    pid: child.pid ?? 0,
    kill: async (signal = "SIGKILL") => {
      child.kill(signal);
      await ended;
    },
    restart: () => startNatsServer({ ...options, port: taken }),
  };
}
