import { resolve } from "node:path";
import type { VerbInput } from "claw-contract";
import type { DaemonOptions } from "../../../daemon/index.ts";
import { loadPrices, loadSettings } from "../../../settings/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { MCP_PATHS, pageFolderOf, partOf } from "../../runtime/handle.ts";
import { clusterOf } from "./cluster-options.ts";
import { givenFlags, UP_DEFAULTS } from "./up-flags.ts";

type Input = VerbInput<"up">;

/** Answers to workers' questions that the user's own settings give, and those of a folder the user trusts. */
const rulesOf = (cwd: string, env: NodeJS.ProcessEnv): DaemonOptions["rules"] =>
  loadSettings(cwd, env).merged.approvals?.rules ?? [];

/** How the daemon of a call is to run. */
export function optionsOf(input: Input, ports: Ports): DaemonOptions {
  const { cwd, toolVersion, env, program } = ports;
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
    ...clusterOf(input, ports),
    env,
    rules: rulesOf(cwd, env),
    prices: loadPrices(cwd, env).prices,
    faces: [{ paths: Object.values(MCP_PATHS), load: async (keys) => (await ports.openMcp()).openHttp(ports, keys) }],
    settle: async (life) => (await import("../../../worker/index.ts")).settleLife(life),
    readTranscript: async (asked) => (await import("../../workers/logs/read-transcript.ts")).readTranscript(asked),
    notify: () => loadSettings(cwd, env).merged.notify,
    program,
    part: partOf(program),
    pageFolder: pageFolderOf(program),
  };
}

/** The arguments that start a daemon in the foreground with the same flags. */
export function flagsOf(input: Input, cwd: string): string[] {
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
    ...text("bus", input.bus),
    ...text("cluster", input.cluster),
    ...text("machine", input.machine),
    ...text("bus-credentials", input.busCredentials),
    ...text("bus-ca", input.busCa),
    ...text("bus-cert", input.busCert),
    ...text("bus-key", input.busKey),
    ...amount("bus-replicas", input.busReplicas),
    ...on("leave-log", input.leaveLog === true),
  ];
}
