import { tellBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { changeMission, missionText } from "./change-mission.ts";

export const handler = handle("lifecycle reflect", {
  run: ({ text, dryRun }, ports) => {
    const change = () => tellBus(ports, "lifecycle.reflect", { reflect: text });
    return changeMission({ change, topic: "lifecycle.reflected", dryRun }, ports);
  },
  show: missionText,
});
