import type { MissionPhase } from "claw-contract";
import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { changeMission, missionText } from "./change-mission.ts";

export const handler = handle("lifecycle advance", {
  run: ({ phase, reason, dryRun }, ports) => {
    // The bus refuses words that are no phase.
    const to = phase.toUpperCase() as MissionPhase;
    const change = () => tellBus(ports, "lifecycle.advance", { to, reason });
    return changeMission({ change, topic: "lifecycle.phase-changed", dryRun }, ports);
  },
  show: missionText,
});
