import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { clusterOf } from "../bus/up/cluster-options.ts";
import type { Ports } from "../runtime/handle.ts";

type Check = VerbOutput<"doctor">["checks"][number];

/** What is good and bad about the NATS servers of the cluster that this folder belongs to; nothing without a cluster. */
export async function checkCluster(ports: Ports): Promise<Check[]> {
  const { cluster: named } = clusterOf({}, ports);
  if (named === undefined) return [];
  const { collectNatsFacts, inboxOf, judgeNats, openConnection } = await import("../../cluster/index.ts");
  const { address, cluster, machine, monitoring } = named;
  const monitors = monitoring === undefined ? [] : [monitoring];
  try {
    const connection = await openConnection({ ...address, name: machine, inboxPrefix: inboxOf(cluster, machine) });
    try {
      const findings = judgeNats(await collectNatsFacts(connection.nats, { url: address.url, cluster, monitors }));
      return findings.map(({ fix = null, ...finding }) => ({ ...finding, ok: finding.status !== "fail", fix }));
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    const { message, hint } = error;
    return [{ id: "nats", name: "NATS", status: "fail", ok: false, summary: message, fix: hint }];
  }
}
