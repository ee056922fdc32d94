import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { DaemonOptions, DaemonRecord } from "../../daemon/index.ts";
import { findDaemon, loadDaemon, spawnDaemon } from "../../daemon/index.ts";
import { loadPrices, loadSettings } from "../../settings/index.ts";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { partOf } from "../runtime/part-of.ts";
import { pairs } from "../text/text-layout.ts";
import { differences, givenFlags, UP_DEFAULTS } from "./up-flags.ts";

type Input = VerbInput<"up">;
type Output = VerbOutput<"up">;

/** Answers to workers' questions that the user's own settings give, and those of a folder the user trusts. */
const rulesOf = (cwd: string, env: NodeJS.ProcessEnv): DaemonOptions["rules"] =>
  loadSettings(cwd, env).merged.approvals?.rules ?? [];

function optionsOf(input: Input, { cwd, toolVersion, env, program }: Ports): DaemonOptions {
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(cwd, path);
  return {
    cwd,
    version: toolVersion,
    socket: absolute(input.socket),
    http: input.http,
    durability: input.durability ?? UP_DEFAULTS.durability,
    policy: input.policy ?? UP_DEFAULTS.policy,
    rateLimit: input.rateLimit ?? UP_DEFAULTS.rateLimit,
    flags: givenFlags(input, cwd),
    requireToken: input.requireToken,
    tlsCert: absolute(input.tlsCert),
    tlsKey: absolute(input.tlsKey),
    insecure: input.insecure,
    budgetUsd: input.budgetUsd,
    budgetUsdPerDay: input.budgetUsdPerDay,
    budgetTokensPerDay: input.budgetTokensPerDay,
    tee: input.tee,
    env,
    rules: rulesOf(cwd, env),
    prices: loadPrices(cwd, env).prices,
    settle: async (life) => (await import("../../worker/index.ts")).settleLife(life),
    program,
    part: partOf(program),
  };
}

/** The arguments that start a daemon in the foreground with the same flags. */
function flagsOf(input: Input, cwd: string): string[] {
  const text = (flag: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`--${flag}=${value}`];
  const amount = (flag: string, value: number | undefined): string[] =>
    text(flag, value === undefined ? undefined : String(value));
  const on = (flag: string, value: boolean): string[] => (value ? [`--${flag}`] : []);
  return [
    "up",
    "--foreground",
    "--output-format=json",
    "--envelope=claw",
    `--cwd=${cwd}`,
    ...text("socket", input.socket),
    ...text("http", input.http),
    ...text("durability", input.durability),
    ...text("policy", input.policy),
    ...amount("rate-limit", input.rateLimit),
    ...amount("budget-usd", input.budgetUsd),
    ...amount("budget-usd-per-day", input.budgetUsdPerDay),
    ...amount("budget-tokens-per-day", input.budgetTokensPerDay),
    ...text("tls-cert", input.tlsCert),
    ...text("tls-key", input.tlsKey),
    ...on("require-token", input.requireToken),
    ...on("insecure", input.insecure),
    ...on("tee", input.tee),
  ];
}

const upOutput = (record: DaemonRecord, running: boolean, effect: Output["effect"] = "created"): Output => ({
  running,
  pid: record.pid,
  socket: record.socket,
  http: record.http,
  token_file: record.token,
  durability: record.durability,
  policy: record.policy,
  ...(record.took_over === undefined ? {} : { took_over: record.took_over }),
  effect,
});

function refuseSecond({ cwd }: Ports, { pid, socket }: DaemonRecord, different: readonly string[]): never {
  const names = different.length === 0 ? "" : ` and runs otherwise: ${different.join(", ")}`;
  throw new ClawError("DAEMON_RUNNING", `process ${pid} is the daemon of this folder${names}`, {
    operation: "start_daemon",
    target: cwd,
    details: { pid, socket, differences: [...different] },
  });
}

/** Answers with the running daemon. Throws when a given flag differs, or when `--foreground` asks to be the daemon. */
function useRunning(input: Input, ports: Ports, running: DaemonRecord): Output {
  const different = differences(givenFlags(input, ports.cwd), running);
  if (input.foreground || different.length > 0) refuseSecond(ports, running, different);
  return upOutput(running, true, "noop");
}

const LOOK_MS = 50;

/** The daemon of another call that was quicker, once it lets clients in; undefined when there is none. */
async function quickerOne(error: unknown, { cwd, signal }: Ports): Promise<DaemonRecord | undefined> {
  if (!(error instanceof ClawError) || error.code !== "DAEMON_RUNNING" || error.target !== cwd) return undefined;
  for (const deadline = Date.now() + LIMITS.daemonStartMs; Date.now() < deadline; signal.throwIfAborted()) {
    const running = findDaemon(cwd);
    if (running !== undefined) return running;
    await delay(LOOK_MS);
  }
  return undefined;
}

async function startAway(input: Input, ports: Ports): Promise<Output> {
  const argv = [...ports.program, ...flagsOf(input, ports.cwd)] as [string, ...string[]];
  try {
    return upOutput(await spawnDaemon({ cwd: ports.cwd, argv }, ports.signal), true);
  } catch (error) {
    const running = await quickerOne(error, ports);
    if (running === undefined) throw error;
    return useRunning(input, ports, running);
  }
}

function preview(input: Input, ports: Ports): Output {
  const socket = optionsOf(input, ports).socket ?? `${ports.cwd}/.claws/claws.sock`;
  const plan = {
    socket,
    http: input.http ?? null,
    token_file: null,
    durability: input.durability ?? UP_DEFAULTS.durability,
    policy: input.policy ?? UP_DEFAULTS.policy,
  };
  return { running: false, pid: 0, ...plan, effect: "would_create", would_affect: [socket] };
}

/** Runs the daemon in this process until the signal aborts or the daemon is lost. */
async function* beDaemon(input: Input, ports: Ports): VerbStream<"up"> {
  const { startDaemon } = await loadDaemon();
  const daemon = await startDaemon(optionsOf(input, ports), ports.signal);
  const { record } = daemon;
  try {
    yield { type: "listening", pid: record.pid, socket: record.socket, http: record.http };
    const interrupted = new Promise<undefined>((stop) => {
      if (ports.signal.aborted) stop(undefined);
      ports.signal.addEventListener("abort", () => stop(undefined), { once: true });
    });
    const lost = await Promise.race([interrupted, daemon.lost]);
    if (lost !== undefined) throw lost;
  } finally {
    await daemon.stop();
  }
  return upOutput(record, false);
}

async function* run(input: Input, ports: Ports): VerbStream<"up"> {
  const running = findDaemon(ports.cwd);
  if (running !== undefined) return useRunning(input, ports, running);
  if (input.dryRun) return preview(input, ports);
  return input.foreground ? yield* beDaemon(input, ports) : startAway(input, ports);
}

/** Describes in one line the history taken over from claws 0.8. */
function tookOverText({ events, mission, from }: NonNullable<Output["took_over"]>): string {
  const history = `${events} ${events === 1 ? "event" : "events"} of claws 0.8`;
  return `${history}${mission === null ? "" : " and its mission"}; the old files stay in ${from}`;
}

export const handler = handle("up", {
  run,
  showItem: ({ pid, socket, http }, paint) =>
    `${paint.green("listening")} at ${socket}${http === null ? "" : ` and ${http}`} ${paint.dim(`(process ${pid}; Ctrl-C stops it)`)}`,
  show: (daemon, paint) => {
    if (daemon.effect === "would_create") return `Would start a daemon at ${daemon.socket}`;
    if (!daemon.running) return "The daemon stopped.";
    return pairs(
      [
        ["daemon", `${paint.green(daemon.effect === "noop" ? "ran already" : "running")}, process ${daemon.pid}`],
        ["socket", daemon.socket],
        ...(daemon.http === null ? [] : [["http", daemon.http] as const]),
        ...(daemon.token_file === null ? [] : [["token in", daemon.token_file] as const]),
        ...(daemon.took_over === undefined ? [] : [["took over", tookOverText(daemon.took_over)] as const]),
        ["follow", paint.cyan("claw events --follow")],
        ["stop", paint.cyan("claw down")],
      ],
      paint,
    );
  },
});
