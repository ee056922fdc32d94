import { resolve } from "node:path";
import type { OldToolInput } from "claw-contract";
import { ClawError } from "claw-contract";
import { callVerb } from "../call-verb.ts";
import type { ToolPorts } from "../tool-host.ts";
import { LONGEST_WAIT_MS, withTimeLimit } from "../time-limit.ts";
import type { OldHandler, OldHandlers } from "./old-tool.ts";
import { request } from "./old-tool.ts";

type Names =
  | "claws_worker"
  | "claws_fleet"
  | "claws_workers_wait"
  | "claws_dispatch_subworker"
  | "claws_set_bin"
  | "claws_get_bin";

type Work = Parameters<OldHandler<"claws_worker">>[1];

interface Asked {
  readonly name: string;
  readonly mission?: string | undefined;
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
}

/** Agents by the names of their programs. */
const AGENTS = {
  claude: "claude-code",
  "claude-code": "claude-code",
  codex: "codex",
  claw: "claw",
  fake: "fake",
} as const;

type Bin = keyof typeof AGENTS;

function readBin(name: string | undefined): Bin | null {
  if (name === undefined || name === "" || name === "auto") return null;
  if (Object.hasOwn(AGENTS, name)) return name as Bin;
  throw new ClawError("INVALID_FLAG_VALUE", `'${name.slice(0, 100)}' is no agent`, {
    operation: "set_bin",
    target: "name",
    hint: `Use one of: ${Object.keys(AGENTS).join(", ")}.`,
  });
}

const STARTED = { ok: true, status: "spawned" } as const;

/** A shell command in a new terminal. */
async function startCommand({ name, cwd }: Asked, command: string, ports: ToolPorts) {
  const { data } = await callVerb("terminal create", { name, folder: cwd }, ports);
  const id = data.terminal_id ?? "";
  await request(ports, "send", { terminalId: id, text: command });
  return { ...STARTED, terminal_id: id, name, correlation_id: id };
}

async function startOne(asked: Asked, { ports, host }: Work) {
  const { name, mission, command, cwd, model } = asked;
  if (mission === undefined && command !== undefined) return startCommand(asked, command, ports);
  const bin = host.old.bin as Bin | null;
  const parent = host.seat.peerId();
  const { data } = await callVerb(
    "spawn",
    {
      mission,
      name,
      model,
      harness: bin === null ? "auto" : AGENTS[bin],
      wait: "none",
      ...(parent === undefined || host.caller.role === "worker" ? {} : { parent }),
    },
    { ...ports, cwd: resolve(ports.cwd, cwd ?? ".") },
  );
  return { ...STARTED, terminal_id: data.terminal_id, name: data.name, correlation_id: data.peer_id };
}

/** Waits until workers have ended, as long as a call may. */
async function waitFor(workers: readonly string[], timeoutMs: number | undefined, ports: ToolPorts): Promise<void> {
  const limit = { ms: Math.min(timeoutMs ?? LONGEST_WAIT_MS, LONGEST_WAIT_MS), target: workers.join(", ") };
  try {
    await withTimeLimit(ports, limit, (limited) => callVerb("wait", { workers: [...workers] }, limited));
  } catch (error) {
    ports.signal.throwIfAborted();
    // A worker that failed has ended too, and one that goes on is listed as pending.
    const known = ["TIMEOUT", "WORKER_FAILED", "WORKER_ABORTED", "WORKER_ENDED"];
    if (!(error instanceof ClawError) || !known.includes(error.code)) throw error;
  }
}

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly ended: boolean;
}

async function endings(ids: readonly string[], ports: ToolPorts): Promise<Ended[]> {
  const { data } = await callVerb("ps", { all: true }, ports);
  return ids.map((named) => {
    const found = data.workers.findLast(
      ({ peer_id: id, name, terminal_id: terminal }) => id === named || name === named || terminal === named,
    );
    if (found === undefined) {
      throw new ClawError("WORKER_NOT_FOUND", `no worker is called ${named}`, { operation: "wait", target: named });
    }
    return { id: named, status: found.state, ended: found.ended };
  });
}

async function waitAll(input: OldToolInput<"claws_workers_wait">, { ports }: Work) {
  const begun = Date.now();
  const ids = input.terminal_ids.map(String);
  const before = await endings(ids, ports);
  const target = Math.min(input.min_complete ?? ids.length, ids.length);
  const open = before.filter(({ ended }) => !ended).map(({ id }) => id);
  if (ids.length - open.length < target) await waitFor(open, input.timeout_ms, ports);
  const results = await endings(ids, ports);
  const done = results.filter(({ ended }) => ended);
  return {
    ok: done.length >= target,
    complete: done.length,
    target,
    total: ids.length,
    wall_clock_ms: Date.now() - begun,
    pending: results.filter(({ ended }) => !ended).map(({ id }) => id),
    results: done.map(({ id, status }) => ({ terminal_id: id, status })),
  };
}

const HINT = "Wait with claws_workers_wait or claws_wait; look with claws_read_log.";

/** Workers under their old names. Older options about markers on a screen have no effect: claw knows when a worker ends. */
export const WORKER_HANDLERS: OldHandlers<Names> = {
  claws_worker: async ({ detach = true, timeout_ms: timeoutMs, ...asked }, work) => {
    const started = await startOne(asked, work);
    if (detach || asked.mission === undefined) return { ...started, hint: HINT };
    await waitFor([started.correlation_id], timeoutMs, work.ports);
    const [ending] = await endings([started.correlation_id], work.ports);
    return { ...started, status: ending?.status ?? started.status, hint: HINT };
  },
  claws_fleet: async ({ workers, cwd, model, detach = true, timeout_ms: timeoutMs }, work) => {
    const begun = Date.now();
    const started: Awaited<ReturnType<typeof startOne>>[] = [];
    for (const asked of workers) started.push(await startOne({ cwd, model, ...asked }, work));
    const ids = started.map(({ correlation_id: id }) => id);
    const isFleet = workers.every(({ mission }) => mission !== undefined);
    if (!detach && isFleet) await waitFor(ids, timeoutMs, work.ports);
    const states = detach || !isFleet ? [] : await endings(ids, work.ports);
    return {
      fleet_size: started.length,
      detach,
      wall_clock_ms: Date.now() - begun,
      workers: started.map((worker, at) => ({ ...worker, status: states[at]?.status ?? worker.status })),
    };
  },
  claws_workers_wait: waitAll,
  claws_dispatch_subworker: async ({ waveId, role, mission, cwd }, work) => {
    const started = await startOne({ name: `${waveId}-${role}`, mission, cwd }, work);
    return { ...started, waveId, role };
  },
  claws_set_bin: ({ name }, { host }) => {
    host.old.bin = readBin(name);
    return Promise.resolve({ bin: host.old.bin ?? "auto" });
  },
  claws_get_bin: (_input, { host }) => Promise.resolve({ bin: host.old.bin ?? "auto" }),
};
