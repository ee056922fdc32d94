import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { changeMission, missionText } from "./change-mission.ts";

export const handler = handle("lifecycle plan", {
  run: ({ text, mode, workers, dryRun }, ports) => {
    const fields = { plan: text, workerMode: mode, expectedWorkers: workers };
    const change = () => tellBus(ports, "lifecycle.plan", fields);
    return changeMission({ change, topic: "lifecycle.planned", dryRun }, ports);
  },
  show: missionText,
});
