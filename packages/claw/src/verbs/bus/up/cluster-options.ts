import { hostname } from "node:os";
import { resolve } from "node:path";
import type { VerbInput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { DaemonOptions } from "../../../daemon/index.ts";
import { loadSettings } from "../../../settings/index.ts";
import type { Ports } from "../../runtime/handle.ts";

const DEFAULT_CLUSTER = "default";

/** Flags that describe the cluster of `--bus`. */
const CLUSTER_FLAGS = {
  cluster: "--cluster",
  machine: "--machine",
  busCredentials: "--bus-credentials",
  busCa: "--bus-ca",
  busCert: "--bus-cert",
  busKey: "--bus-key",
  busReplicas: "--bus-replicas",
  leaveLog: "--leave-log",
} as const;

type ClusterFlags = Partial<Pick<VerbInput<"up">, "bus" | keyof typeof CLUSTER_FLAGS>>;

/** Throws INVALID_FLAG_VALUE for a flag of a cluster without its address. */
function refuseAlone(input: ClusterFlags): void {
  const [, alone] =
    Object.entries(CLUSTER_FLAGS).find(([name]) => input[name as keyof ClusterFlags] !== undefined) ?? [];
  if (alone === undefined) return;
  throw new ClawError("INVALID_FLAG_VALUE", `${alone} is for --bus, which was not asked for`, {
    operation: "read_flags",
    target: alone,
  });
}

/** The cluster that a call names: by its flags, before the environment, before the settings. Nothing without an address. */
export function clusterOf(input: ClusterFlags, { cwd, env }: Ports): Pick<DaemonOptions, "cluster"> {
  const settings = loadSettings(cwd, env).merged.bus ?? {};
  const text = (...values: (string | undefined)[]): string | undefined => values.find((value) => (value ?? "") !== "");
  const path = (...values: (string | undefined)[]): string | undefined => {
    const named = text(...values);
    return named === undefined ? undefined : resolve(cwd, named);
  };
  const url = text(input.bus, env["CLAW_BUS"], settings.url);
  if (url === undefined) {
    refuseAlone(input);
    return {};
  }
  return {
    cluster: {
      address: {
        url,
        credentials: path(input.busCredentials, env["CLAW_BUS_CREDENTIALS"], settings.credentials),
        ca: path(input.busCa, settings.ca),
        cert: path(input.busCert, settings.cert),
        key: path(input.busKey, settings.key),
      },
      cluster: text(input.cluster, env["CLAW_CLUSTER"], settings.cluster) ?? DEFAULT_CLUSTER,
      machine: text(input.machine, env["CLAW_MACHINE"], settings.machine) ?? hostname().split(".")[0] ?? "",
      replicas: input.busReplicas ?? settings.replicas,
      separateMachines: settings.separateMachines ?? false,
      monitoring: settings.monitoring,
      leaveLog: input.leaveLog ?? false,
    },
  };
}
