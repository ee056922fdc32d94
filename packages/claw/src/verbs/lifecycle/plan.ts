import { tellBus } from "../ask-bus.ts";
import { handle } from "../handle.ts";
import { changeMission, showMission } from "./change-mission.ts";

export const handler = handle("lifecycle plan", {
  run: ({ text, mode, workers, dryRun }, ports) => {
    const fields = { plan: text, workerMode: mode, expectedWorkers: workers };
    const change = () => tellBus(ports, "lifecycle.plan", fields);
    return changeMission({ change, topic: "lifecycle.planned", dryRun }, ports);
  },
  show: showMission,
});
