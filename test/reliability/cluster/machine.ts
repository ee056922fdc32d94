import { fileURLToPath } from "node:url";
import { ClawError } from "claw-contract";
import { spawnDaemon } from "../../../packages/claw/src/daemon/index.ts";
import { killHard, stopAfterTest } from "../../e2e/daemon-process.ts";
import { BINARY } from "../../e2e/run-claw.ts";
import type { Workspace } from "../../e2e/workspace.ts";
import { cleanEnvironment, createWorkspace } from "../../e2e/workspace.ts";
import type { MachineLink } from "./networks/network.ts";

/** A daemon of one machine, and its link to the servers. */
export interface Machine {
  readonly name: string;
  readonly link: MachineLink;
  socket(): string;
  pid(): number;
  /** How far the machine's clock is ahead. */
  clockMs(): number;
  /** Kills the daemon and starts another one, with another clock. */
  restart(clockMs: number): Promise<void>;
}

const SHIFTED = fileURLToPath(new URL("shifted-clock.mjs", import.meta.url));

interface Start {
  readonly workspace: Workspace;
  readonly link: MachineLink;
  readonly flags: readonly string[];
}

async function start({ workspace, link, flags }: Start, clockMs: number) {
  const up = ["up", "--foreground", "--output-format=json", "--envelope=claw", `--cwd=${workspace.cwd}`, ...flags];
  const clock = { NODE_OPTIONS: `--import=${SHIFTED}`, CLAW_TEST_CLOCK_MS: String(clockMs) };
  const env = cleanEnvironment(workspace, clock);
  const argv = [...link.within, process.execPath, BINARY, ...up] as unknown as readonly [string, ...string[]];
  for (;;) {
    try {
      return await spawnDaemon({ cwd: workspace.cwd, argv, env }, new AbortController().signal);
    } catch (error) {
      // Servers that have just begun have no leader yet.
      if (!(error instanceof ClawError && error.retryable)) throw error;
    }
  }
}

export async function startMachine(name: string, link: MachineLink, clockMs: number): Promise<Machine> {
  const workspace = createWorkspace();
  stopAfterTest(workspace);
  const cluster = ["--cluster", "test", "--machine", name, "--bus-replicas", "3"];
  const begin = { workspace, link, flags: ["--bus", `nats://${link.hosts}`, ...cluster] };
  let clock = clockMs;
  let record = await start(begin, clock);
  return {
    name,
    link,
    socket: () => record.socket,
    pid: () => record.pid,
    clockMs: () => clock,
    restart: async (next) => {
      await killHard(record.pid);
      clock = next;
      record = await start(begin, clock);
    },
  };
}
