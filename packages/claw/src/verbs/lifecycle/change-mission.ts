import type { VerbOutput } from "@claw/contract";
import { askBus, tellBus } from "../ask-bus.ts";
import type { Ports } from "../handle.ts";

type Changed = VerbOutput<"lifecycle plan">;

export interface MissionChange {
  readonly cmd: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly topic: string;
  readonly dryRun: boolean;
}

/** Changes the mission. A dry run shows the mission unchanged. A change without an effect is a `noop`. */
export async function changeMission({ cmd, fields, topic, dryRun }: MissionChange, ports: Ports): Promise<Changed> {
  if (dryRun) {
    const { state } = await askBus(ports, "lifecycle.snapshot");
    return { mission: state as Changed["mission"], effect: "would_update", would_affect: [topic] };
  }
  const { state, idempotent } = await tellBus(ports, cmd, fields);
  return { mission: state as Changed["mission"], effect: idempotent === true ? "noop" : "updated" };
}

export function showMission({ mission }: { readonly mission: Changed["mission"] }): string {
  if (mission === null) return "No mission. Begin one with claw lifecycle plan.";
  return `Mission ${mission.mission_n ?? 1} is in phase ${mission.phase}: ${mission.plan ?? ""}`;
}
