import { handle } from "../handle.ts";
import { changeMission, showMission } from "./change-mission.ts";

export const handler = handle("lifecycle advance", {
  run: ({ phase, reason, dryRun }, ports) => {
    const fields = { to: phase.toUpperCase(), reason };
    return changeMission({ cmd: "lifecycle.advance", fields, topic: "lifecycle.phase-changed", dryRun }, ports);
  },
  show: showMission,
});
