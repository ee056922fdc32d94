import type { VerbOutput } from "claw-contract";

type Placed = Pick<VerbOutput<"up">, "cluster" | "durability">;

/** Names the cluster of a daemon, and says what an acknowledgement means there. */
export function clusterRows({ cluster, durability }: Placed): [string, string][] {
  if (cluster === undefined) return [];
  const { name, machine, durability_reason: why } = cluster;
  return [
    ["machine", `${machine} in cluster ${name}`],
    ["durability", `${durability}: ${why}`],
  ];
}
