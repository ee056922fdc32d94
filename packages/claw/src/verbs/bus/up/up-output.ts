import type { VerbOutput } from "claw-contract";
import { compareReleases } from "claw-contract";
import type { DaemonRecord } from "../../../daemon/index.ts";
import { releaseOf } from "../../../daemon/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { Paint } from "../../runtime/paint.ts";
import { clusterRows } from "../../text/cluster-rows.ts";
import { pairs, plural } from "../../text/text-layout.ts";

type Output = VerbOutput<"up">;

export type Replaced = NonNullable<Output["replaced"]>;

/** Whether the daemon is of an older version than this program. */
export const isOlder = (record: DaemonRecord, { toolVersion }: Pick<Ports, "toolVersion">): boolean =>
  compareReleases(releaseOf(record), toolVersion) < 0;

export interface UpState {
  readonly record: DaemonRecord;
  readonly running: boolean;
  readonly effect: Output["effect"];
  readonly replaced?: Replaced | undefined;
}

export const upOutput = ({ record, running, effect, replaced }: UpState, ports: Ports): Output => ({
  running,
  pid: record.pid,
  socket: record.socket,
  http: record.http,
  token_file: record.token,
  durability: record.durability,
  ...(record.cluster === undefined ? {} : { cluster: record.cluster }),
  policy: record.policy,
  ...(record.took_over === undefined ? {} : { took_over: record.took_over }),
  version: releaseOf(record),
  outdated: isOlder(record, ports),
  ...(replaced === undefined ? {} : { replaced }),
  effect,
});

/** Describes in one line the history taken over from claws 0.8. */
function tookOverText({ events, mission, from }: NonNullable<Output["took_over"]>): string {
  const history = `${events} ${events === 1 ? "event" : "events"} of claws 0.8`;
  return `${history}${mission === null ? "" : " and its mission"}; the old files stay in ${from}`;
}

/** Names version and process of the replaced daemon, and the workers that went on. */
function replacedText({ version, pid, workers }: Replaced): string {
  const names = workers.map(({ name }) => name).join(", ");
  const goOn = workers.length === 0 ? "" : `; ${plural(workers.length, "worker")} went on: ${names}`;
  return `version ${version}, process ${pid}${goOn}`;
}

function wouldText({ effect, socket, replaced, version }: Output): string | undefined {
  if (effect === "would_create") return `Would start a daemon at ${socket}`;
  if (effect !== "would_update" || replaced === undefined) return undefined;
  return `Would replace the daemon: ${replacedText(replaced)}; by version ${version}`;
}

/** The answer for people. */
export function showUp(daemon: Output, paint: Paint): string {
  const would = wouldText(daemon);
  if (would !== undefined) return would;
  if (!daemon.running) return "The daemon stopped.";
  const state = paint.green(daemon.effect === "noop" ? "ran already" : "running");
  return pairs(
    [
      ["daemon", `${state}, process ${daemon.pid}`],
      ...clusterRows(daemon),
      ["socket", daemon.socket],
      ...(daemon.http === null ? [] : [["http", daemon.http] as const]),
      ...(daemon.token_file === null ? [] : [["token in", daemon.token_file] as const]),
      ...(typeof daemon.page_url === "string" ? [["page", paint.cyan(daemon.page_url)] as const] : []),
      ...(daemon.took_over === undefined ? [] : [["took over", tookOverText(daemon.took_over)] as const]),
      ...(daemon.replaced === undefined ? [] : [["replaced", replacedText(daemon.replaced)] as const]),
      ...(daemon.cluster === undefined ? [] : [["machines", paint.cyan("claw machines")] as const]),
      ["follow", paint.cyan("claw events --follow")],
      ["stop", paint.cyan("claw down")],
    ],
    paint,
  );
}
