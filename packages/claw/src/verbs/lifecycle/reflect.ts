import { handle } from "../handle.ts";
import { changeMission, showMission } from "./change-mission.ts";

export const handler = handle("lifecycle reflect", {
  run: ({ text, dryRun }, ports) =>
    changeMission({ cmd: "lifecycle.reflect", fields: { reflect: text }, topic: "lifecycle.reflected", dryRun }, ports),
  show: showMission,
});
