import type { VerbInput, VerbItem, VerbOutput } from "claw-contract";
import type { DaemonRecord } from "../../../daemon/index.ts";
import { endReplacement, findDaemon, loadDaemon, requireFormat } from "../../../daemon/index.ts";
import type { Ports, VerbStream } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import {
  asSuccessor,
  describeReplaced,
  goOnAfter,
  notStarted,
  requireReplaceable,
  stopOlder,
  wantsReplacement,
  warnOfVersion,
} from "./replace-daemon.ts";
import { finishRestore } from "../../upkeep/restore/swap-folders.ts";
import { refuseProcessOne } from "./refuse-process-one.ts";
import { linkFor } from "./link-for.ts";
import { requireSame, startAway } from "./start-away.ts";
import { followReplacements } from "./follow-replacements.ts";
import { UP_DEFAULTS } from "./up-flags.ts";
import { optionsOf } from "./up-options.ts";
import { showUp, upOutput } from "./up-output.ts";

type Input = VerbInput<"up">;
type Output = VerbOutput<"up">;

function preview(input: Input, ports: Ports): Output {
  const socket = optionsOf(input, ports).socket ?? `${ports.cwd}/.claws/claws.sock`;
  const plan = {
    socket,
    http: input.http ?? null,
    token_file: null,
    durability: input.durability ?? UP_DEFAULTS.durability,
    policy: input.policy ?? UP_DEFAULTS.policy,
    version: ports.toolVersion,
    outdated: false,
  };
  return { running: false, pid: 0, ...plan, effect: "would_create", would_affect: [socket] };
}

/** Runs the daemon in this process until the signal aborts or the daemon is lost. */
async function* beDaemon(input: Input, ports: Ports): VerbStream<"up"> {
  refuseProcessOne();
  const { startDaemon } = await loadDaemon();
  const daemon = await followReplacements(startDaemon, optionsOf(input, ports), ports.signal);
  const { record } = daemon;
  try {
    endReplacement(ports.cwd);
    const { page_url } = await linkFor(input, record, ports);
    const { pid, socket, http } = record;
    yield { type: "listening", pid, socket, http, ...(typeof page_url === "string" ? { page_url } : {}) };
    const interrupted = new Promise<undefined>((stop) => {
      if (ports.signal.aborted) stop(undefined);
      ports.signal.addEventListener("abort", () => stop(undefined), { once: true });
    });
    const lost = await Promise.race([interrupted, daemon.lost]);
    if (lost !== undefined) throw lost;
  } finally {
    await daemon.stop();
  }
  return upOutput({ record, running: false, effect: "created" }, ports);
}

/** Stops an older daemon and starts this version in its place. */
async function* replace(input: Input, running: DaemonRecord, ports: Ports): VerbStream<"up"> {
  requireReplaceable(running, ports);
  const replaced = describeReplaced(running, ports);
  const successor = asSuccessor(input, ports, running);
  if (input.dryRun) {
    return { ...preview(successor, ports), replaced, running: true, pid: running.pid, effect: "would_update" };
  }
  await stopOlder(successor, running, ports);
  try {
    if (input.foreground) return yield* beDaemon(successor, ports);
    const { record } = await startAway(successor, ports);
    return upOutput({ record, running: true, effect: "updated", replaced }, ports);
  } catch (error) {
    throw notStarted(error);
  }
}

async function* start(input: Input, ports: Ports): VerbStream<"up"> {
  const running = findDaemon(ports.cwd);
  if (running !== undefined && (await wantsReplacement(input, running, ports))) {
    return yield* replace(input, running, ports);
  }
  if (running !== undefined) {
    warnOfVersion(running, ports);
    requireSame(input, ports, running);
    return upOutput({ record: running, running: true, effect: "noop" }, ports);
  }
  if (!input.dryRun && finishRestore(ports.files, ports.cwd)) {
    ports.notes.warn("RESTORE_FINISHED: an earlier claw restore had been cut off");
  }
  requireFormat(ports.cwd);
  const wanted = goOnAfter(input, ports);
  if (input.dryRun) return preview(wanted, ports);
  if (input.foreground) return yield* beDaemon(wanted, ports);
  const { record, isOwn } = await startAway(wanted, ports);
  return upOutput({ record, running: true, effect: isOwn ? "created" : "noop" }, ports);
}

/** Makes the link of `--web` for a daemon in the background; one in the foreground made its link when it began. */
async function* run(input: Input, ports: Ports): VerbStream<"up"> {
  const output = yield* start(input, ports);
  const record = output.running && !input.dryRun ? findDaemon(ports.cwd) : undefined;
  return record === undefined ? output : { ...output, ...(await linkFor(input, record, ports)) };
}

function showListening({ pid, socket, http, page_url }: VerbItem<"up">, paint: Paint): string {
  const places = [socket, ...(http === null ? [] : [http])].join(" and ");
  const line = `${paint.green("listening")} at ${places} ${paint.dim(`(process ${pid}; Ctrl-C stops it)`)}`;
  return page_url === undefined ? line : `${line}\n${paint.cyan(page_url)}`;
}

export const handler = handle("up", {
  run,
  showItem: showListening,
  show: showUp,
});
