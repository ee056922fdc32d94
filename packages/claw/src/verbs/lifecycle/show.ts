import { askBus } from "../bus/ask-bus.ts";
import { handle } from "../runtime/handle.ts";
import { missionText } from "./change-mission.ts";

export const handler = handle("lifecycle show", {
  run: async (_input, ports) => {
    const { state } = await askBus(ports, "lifecycle.snapshot");
    return { mission: state };
  },
  show: missionText,
});
