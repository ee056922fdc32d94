import { handle } from "../handle.ts";
import { changeMission, showMission } from "./change-mission.ts";

export const handler = handle("lifecycle plan", {
  run: ({ text, mode, workers, dryRun }, ports) => {
    const fields = { plan: text, workerMode: mode, expectedWorkers: workers };
    return changeMission({ cmd: "lifecycle.plan", fields, topic: "lifecycle.planned", dryRun }, ports);
  },
  show: showMission,
});
