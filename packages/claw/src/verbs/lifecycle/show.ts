import { askBus } from "../ask-bus.ts";
import { handle } from "../handle.ts";
import { showMission } from "./change-mission.ts";

export const handler = handle("lifecycle show", {
  run: async (_input, ports) => {
    const { state } = await askBus(ports, "lifecycle.snapshot");
    return { mission: state };
  },
  show: showMission,
});
