import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import { effort } from "./effort.ts";
import { isAlive, stopAfterTest } from "./daemon-process.ts";
import type { Block } from "./doc-examples.ts";
import { docBlocks } from "./doc-examples.ts";
import { clawJson } from "./run-claw.ts";
import { runShell } from "./run-shell.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";
import { freePort } from "../free-port.ts";

const PAGE = "scale.md";

/** The blocks of the page that name a machine, in parts that begin with clean machines: one for each way to run servers. */
function partsOf(blocks: readonly Block[]): Block[][] {
  const parts: Block[][] = [];
  for (const block of blocks) {
    // Each part but the first begins with the file of its server.
    const begins = block.place.length === 2 && block.place[0] === "ann" && block.place[1] !== "nats.conf";
    if (begins || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(block);
  }
  return parts;
}

const parts = partsOf(docBlocks().filter(({ page, place }) => page === PAGE && place.length > 0));

/** A server that notes its process and writes what it says into a file. */
const notingServer = (binary: string, folder: string): string => `#!/bin/sh
log="${folder}/$$.log"
exec "${binary}" "$@" > "$log" 2>&1 < /dev/null
`;

/** Copies files to the home of another machine. */
const copying = (homes: string): string => `#!/bin/sh
for target in "$@"; do :; done
case "$target" in *:) ;; *) echo "no machine: $target" >&2; exit 1 ;; esac
while [ "$#" -gt 1 ]; do
  cp -p "$1" "${homes}/\${target%:}/" || exit 1
  shift
done
`;

/** Machines of the page, each a folder and a home; and the servers that their commands start. */
interface Scene {
  run(block: Block): Promise<void>;
  /** A text of the page, with the addresses of this scene. */
  localised(machine: string, text: string): Promise<string>;
  readonly machines: ReadonlyMap<string, Workspace>;
}

/** Ends the servers that were started, by the processes they noted. */
function endServersAfterTest(servers: string): void {
  onTestFinished(async () => {
    const pids = readdirSync(servers).map((name) => Number.parseInt(name, 10));
    for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
    await until("the servers to end", () => pids.every((pid) => !isAlive(pid)));
  });
}

/** Whether a server serves: its log says so, and that it has found a leader, or its way to the other server. */
function serves(log: string): boolean {
  const isCluster = log.includes("Cluster name");
  const isLeaf = log.includes("Server ID") && log.includes("leafnode") && !log.includes("JetStream");
  if (isCluster) return log.includes("cluster new metadata leader") || log.includes("Self is new JetStream");
  return log.includes("Server is ready") && (!isLeaf || log.includes("Leafnode connection created"));
}

async function openScene(binary: string, names: ReadonlySet<string>): Promise<Scene> {
  const { home: base } = createWorkspace();
  const [servers, homes] = [join(base, "servers"), join(base, "homes")];
  mkdirSync(servers);
  const machines = new Map<string, Workspace>();
  for (const name of names) {
    const workspace: Workspace = { cwd: join(base, "folders", name), home: join(homes, name) };
    for (const folder of [workspace.cwd, join(workspace.home, "bin")]) mkdirSync(folder, { recursive: true });
    const programs = { "nats-server": notingServer(binary, servers), scp: copying(homes) };
    for (const [program, script] of Object.entries(programs)) {
      writeFileSync(join(workspace.home, "bin", program), script);
      chmodSync(join(workspace.home, "bin", program), 0o755);
    }
    machines.set(name, workspace);
  }
  endServersAfterTest(servers);
  for (const workspace of machines.values()) stopAfterTest(workspace);
  const localised = await onLoopback();
  const allServe = (): boolean =>
    readdirSync(servers).every((name) => {
      const log = readFileSync(join(servers, name), "utf8");
      return !isAlive(Number.parseInt(name, 10)) || serves(log);
    });
  return {
    machines,
    localised,
    run: async (block) => {
      const [name = "", file] = block.place;
      const workspace = machines.get(name);
      if (workspace === undefined) throw new Error(`no machine ${name}`);
      const text = await localised(name, block.text);
      if (file !== undefined) return writeFileSync(join(workspace.cwd, file), text);
      if (text.includes("claw up")) await until("the servers to serve", allServe);
      const { exitCode, stdout, stderr } = await runShell(workspace, `set -e\n${text}`);
      if (exitCode !== 0) throw new Error(`${block.text} ended with ${exitCode}: ${stdout}${stderr}`);
    },
  };
}

/** Puts loopback addresses in the place of those of the page: for each port of each machine another one. */
async function onLoopback(): Promise<(machine: string, text: string) => Promise<string>> {
  const ports = new Map<string, number>();
  const portOf = async (machine: string, port: string): Promise<number> => {
    const key = `${machine}:${port}`;
    const known = ports.get(key) ?? (await freePort());
    ports.set(key, known);
    return known;
  };
  return async (machine, text) => {
    const found = [...text.matchAll(/(\w+)\.example:(\d+)|(?:0\.0\.0\.0|127\.0\.0\.1):(\d+)|--port (\d+)/g)];
    let changed = text.replaceAll("--addr 0.0.0.0", "--addr 127.0.0.1");
    for (const [whole, host = machine, far, near, flag] of found) {
      const port = await portOf(host, far ?? near ?? flag ?? "");
      changed = changed.replaceAll(whole, flag === undefined ? `127.0.0.1:${port}` : `--port ${port}`);
    }
    return changed;
  };
}

interface Listed {
  readonly machines: readonly { readonly name: string; readonly up: boolean }[];
}

/** What each machine says of all machines. */
async function listed({ machines }: Scene): Promise<string[][]> {
  const asked = [...machines.values()].map(async (workspace) => {
    const { machines: found } = (await clawJson(workspace, ["machines"])) as unknown as Listed;
    return found.map(({ name, up }) => (up ? name : `${name} is away`));
  });
  return Promise.all(asked);
}

describe.skipIf(findNatsServers().length === 0)("the page about many machines", () => {
  test("has the laptop, three servers and a leaf node", () => {
    expect(parts.map(([first]) => first?.text.split("\n")[0])).toEqual([
      "claw cluster-credentials ann --cluster team --out keys",
      "jetstream { store_dir: crew }",
      "server_name: ann",
    ]);
  });

  const cases = findNatsServers()
    .slice(effort(-1, 0))
    .flatMap(({ version, path }) => parts.map((part, at) => [at + 1, version, path, part] as const));
  test.each(cases)("runs as it stands, part %i, with nats-server %s", async (_at, _version, path, part) => {
    const scene = await openScene(path, new Set(part.map(({ place: [name = ""] }) => name)));
    for (const block of part) await scene.run(block);
    const all = [...scene.machines.keys()];
    expect(await listed(scene)).toEqual(all.map(() => all));
    const uninvited = "claw up --bus nats://ann.example:4222 --cluster team --machine eve";
    const refused = await runShell(createWorkspace(), await scene.localised("eve", uninvited));
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("error[nats_refused]") as string });
  });
});
