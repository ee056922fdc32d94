import type { VerbOutput } from "claw-contract";
import { askBus } from "../bus/ask-bus.ts";
import type { Ports } from "../runtime/handle.ts";

type Changed = VerbOutput<"lifecycle plan">;

export interface MissionChange {
  /** Sends the request that changes the mission. */
  readonly change: () => Promise<{ readonly state: Changed["mission"]; readonly idempotent?: boolean | undefined }>;
  readonly topic: string;
  readonly dryRun: boolean;
}

/** Changes the mission. A dry run shows the mission unchanged. A change without an effect is a `noop`. */
export async function changeMission({ change, topic, dryRun }: MissionChange, ports: Ports): Promise<Changed> {
  if (dryRun) {
    const { state } = await askBus(ports, "lifecycle.snapshot");
    return { mission: state, effect: "would_update", would_affect: [topic] };
  }
  const { state, idempotent } = await change();
  return { mission: state, effect: idempotent === true ? "noop" : "updated" };
}

export function missionText({ mission }: { readonly mission: Changed["mission"] }): string {
  if (mission === null) return "No mission. Begin one with claw lifecycle plan.";
  return `Mission ${mission.mission_n ?? 1} is in phase ${mission.phase}: ${mission.plan ?? ""}`;
}
