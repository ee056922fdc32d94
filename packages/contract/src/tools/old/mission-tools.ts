import * as z from "zod";
import { MISSION_MODES, MISSION_PHASES } from "../../events/mission-phases.ts";
import { MissionReply } from "../../wire/requests/missions/mission-state.ts";
import { WAVE_ROLES } from "../../events/families/wave.ts";
import { completeWaveRequest } from "../../wire/requests/waves/complete.ts";
import { createWaveRequest } from "../../wire/requests/waves/create.ts";
import { WaveRecord } from "../../wire/requests/waves/wave.ts";
import { defineTool } from "../define-tool.ts";

const Mission = MissionReply.extend({ idempotent: z.boolean().optional() });

const WaveName = z.string().min(1);

export const MISSION_TOOLS = {
  claws_lifecycle_plan: defineTool({
    name: "claws_lifecycle_plan",
    title: "Plan a mission",
    description: "Begin a mission with a plan.",
    input: z.object({
      plan: z.string().min(1),
      worker_mode: z.enum(MISSION_MODES).optional(),
      expected_workers: z.int().min(1).optional(),
    }),
    output: Mission,
    effect: { leads: true, repeatable: true },
  }),
  claws_lifecycle_advance: defineTool({
    name: "claws_lifecycle_advance",
    title: "Advance the mission",
    description: "Move the mission to its next phase.",
    input: z.object({ to: z.enum(MISSION_PHASES), reason: z.string().optional() }),
    output: Mission,
    effect: { leads: true, repeatable: true },
  }),
  claws_lifecycle_snapshot: defineTool({
    name: "claws_lifecycle_snapshot",
    title: "Show the mission",
    description: "Show the mission and its phase.",
    input: z.object({}),
    output: Mission,
    effect: { reads: true, repeatable: true },
  }),
  claws_lifecycle_reflect: defineTool({
    name: "claws_lifecycle_reflect",
    title: "End the mission",
    description: "End the mission with what was learnt.",
    input: z.object({ reflect: z.string().min(1) }),
    output: Mission,
    effect: { leads: true },
  }),
  claws_wave_create: defineTool({
    name: "claws_wave_create",
    title: "Begin a wave",
    description: "Begin a wave of workers with the parts that it needs.",
    input: z.object({
      waveId: WaveName,
      layers: z.array(z.string()).optional(),
      manifest: z.array(z.enum(WAVE_ROLES)).min(1).describe("Parts of the wave."),
    }),
    output: createWaveRequest.reply,
    effect: { leads: true },
  }),
  claws_wave_status: defineTool({
    name: "claws_wave_status",
    title: "Show a wave",
    description: "Show which parts of a wave have come, and how they are.",
    input: z.object({ waveId: WaveName }),
    output: WaveRecord,
    effect: { reads: true, repeatable: true },
  }),
  claws_wave_complete: defineTool({
    name: "claws_wave_complete",
    title: "End a wave",
    description: "End a wave with a summary.",
    input: z.object({
      waveId: WaveName,
      summary: z.string().min(1),
      commits: z.array(z.string()).optional(),
      regressionClean: z.boolean().optional(),
    }),
    output: completeWaveRequest.reply,
    effect: { leads: true },
  }),
} as const;
