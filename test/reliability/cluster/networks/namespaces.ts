import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { MachineLink, Network } from "./network.ts";

const run = promisify(execFile);

/** Whether this machine lets the tests make network namespaces with links between them. */
export function hasNamespaces(): boolean {
  const link = ["ip", "link", "add", "one", "type", "veth", "peer", "name", "two"];
  return process.platform === "linux" && spawnSync("unshare", ["--net", ...link]).status === 0;
}

/** A network namespace. It is there as long as a process runs in it. */
interface Namespace {
  readonly pid: number;
  readonly within: readonly string[];
  /** Runs a command in the namespace to its end. */
  run(file: string, ...args: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Makes a namespace, held by a process that ends with this one. */
async function openNamespace(): Promise<Namespace> {
  const holder = spawn("unshare", ["--net", "cat"], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(holder, "exit");
  holder.stdin.write("\n");
  // The program that answers runs in the namespace already.
  await once(holder.stdout, "data");
  const { pid = 0 } = holder;
  const enter = ["nsenter", `--net=/proc/${pid}/ns/net`] as const;
  const space: Namespace = {
    pid,
    within: enter,
    run: async (...command) => {
      const [file, ...args] = enter;
      await run(file, [...args, ...command]);
    },
    close: async () => {
      holder.stdin.end();
      await ended;
    },
  };
  await space.run("ip", "link", "set", "lo", "up");
  return space;
}

/** Connects a machine of its own namespace to the servers. Each machine has a subnet of its own. */
async function connectMachine(hub: Namespace, machine: Namespace, subnet: number): Promise<Omit<MachineLink, "hosts">> {
  const [here, there] = [`10.231.${subnet}.1`, `10.231.${subnet}.2`];
  const device = `machine${subnet}`;
  await hub.run("ip", "link", "add", device, "type", "veth", "peer", "name", "servers", "netns", String(machine.pid));
  for (const [space, name, address] of [
    [hub, device, here],
    [machine, "servers", there],
  ] as const) {
    await space.run("ip", "addr", "add", `${address}/24`, "dev", name);
    await space.run("ip", "link", "set", name, "up");
  }
  const down = (): Promise<void> => hub.run("ip", "link", "set", device, "down");
  return {
    within: machine.within,
    silence: down,
    cut: async () => {
      await down();
      // The servers forget the connections while the link is down, so the machine learns of it when the link is up again.
      await hub.run("ss", "--kill", "dst", there);
      await hub.run("ip", "link", "set", device, "up");
    },
  };
}

/** A namespace for each machine and one for the servers, with a link from each machine to the servers. */
export async function createNamespaces(): Promise<Network> {
  const hub = await openNamespace();
  const all = [hub];
  return {
    within: hub.within,
    // Only the machines reach it.
    address: "0.0.0.0",
    openLink: async (ports) => {
      const machine = await openNamespace();
      const subnet = all.push(machine);
      const link = await connectMachine(hub, machine, subnet);
      return { ...link, hosts: ports.map((port) => `10.231.${subnet}.1:${port}`).join(",") };
    },
    close: async () => {
      await Promise.all(all.map((space) => space.close()));
    },
  };
}
