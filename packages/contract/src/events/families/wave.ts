import * as z from "zod";
import { bareEvent, wrappedEvent } from "../event-row.ts";
import { amount, anyText, flag, list, text, texts, timestamp, whole } from "../fields.ts";

export const WAVE_ROLES = ["lead", "tester", "reviewer", "auditor", "bench", "doc"] as const;
export const FINDING_SEVERITIES = ["CRITICAL", "HIGH", "MEDIUM", "LOW"] as const;

const waveId = text("The wave this is about.");
const ts = timestamp("When.");
const severity = z.enum(FINDING_SEVERITIES).describe("How bad it is.");

export const WaveHarvested = z.looseObject({
  waveId,
  orphaned_count: whole("Terminals that were still open."),
  closed_terminals: texts("Terminals closed now."),
  already_closed: texts("Terminals closed before."),
  ts,
});

export const WaveLeadBoot = z.looseObject({
  waveId,
  peerName: text("Name of the lead."),
  layers: texts("Layers the wave works on."),
  manifest: list(z.enum(WAVE_ROLES), "Roles that take part."),
  started_at: timestamp("When the wave started."),
});
export const WaveLeadComplete = z.looseObject({
  waveId,
  status: z.enum(["ok", "failed", "partial"]).describe("How the wave ended."),
  commits: texts("Commits made."),
  regression_clean: flag("Whether nothing else broke."),
  duration_sec: amount("How long it took, in seconds.").optional(),
});
export const WaveComplete = WaveLeadComplete.extend({ summary: anyText("What the wave achieved.").optional() });
export const WaveJoined = z.looseObject({
  waveId,
  peerId: text("Peer that takes part from now on."),
  peerName: text("Its name for people."),
  subWorkerRole: text("Part it has.").optional(),
  terminalId: text("Terminal it runs in.").optional(),
  ts,
});
export const WaveViolation = z.looseObject({
  waveId,
  subWorker: text("Part of the member that broke a rule.").optional(),
  silentMs: amount("How long it was silent.").optional(),
  ts,
});

/** Members choose their topics below their own part; the last row takes them all in. */
export const WAVE_EVENTS = [
  bareEvent({
    address: "wave.{waveId}.harvested",
    name: "wave-harvested-v1",
    schema: WaveHarvested,
    summary: "The terminals of a finished wave were closed.",
  }),
  bareEvent({
    address: "wave.{waveId}.complete",
    name: "wave-complete-v1",
    schema: WaveComplete,
    summary: "A wave has ended.",
  }),
  bareEvent({
    address: "wave.{waveId}.joined",
    name: "wave-joined-v1",
    schema: WaveJoined,
    summary: "A peer that was here already joined a wave.",
  }),
  bareEvent({
    address: "wave.{waveId}.violation",
    name: "wave-violation-v1",
    schema: WaveViolation,
    summary: "A member of a wave fell silent.",
  }),
  bareEvent({
    address: "wave.{waveId}.lead.boot",
    name: "wave-lead-boot-v1",
    schema: WaveLeadBoot,
    summary: "A wave was started.",
  }),
  bareEvent({
    address: "wave.{waveId}.lead.complete",
    name: "wave-lead-complete-v1",
    schema: WaveLeadComplete,
    summary: "The lead says that its part is done.",
  }),
  wrappedEvent({
    address: "wave.{waveId}.{waveRole}.**",
    name: "wave-event-v1",
    schema: z.looseObject({}),
    summary: "A member of a wave says something about its own part.",
  }),
] as const;

/** What the members of a wave tell each other. The topics are theirs to choose, so no topic enforces these. */
export const WAVE_SCHEMAS = {
  "wave-tester-red-complete-v1": z.looseObject({
    waveId,
    test_file: text("File with the tests."),
    failing_tests: amount("Tests that fail as they should."),
    ts,
  }),
  "wave-review-finding-v1": z.looseObject({
    waveId,
    severity,
    file: text("File it was found in."),
    line: whole("Line it was found at.").optional(),
    message: text("What was found."),
    suggested_fix: anyText("How to mend it.").optional(),
  }),
  "wave-audit-finding-v1": z.looseObject({
    waveId,
    severity,
    category: z
      .enum(["race_condition", "schema", "error_handling", "regression", "security"])
      .describe("What sort of finding it is."),
    file: text("File it was found in."),
    finding: text("What was found."),
    recommendation: anyText("What to do about it.").optional(),
  }),
  "wave-bench-metric-v1": z.looseObject({
    waveId,
    name: text("What was measured."),
    value: z.number().describe("The figure."),
    unit: text("Its unit."),
    baseline: z.number().optional().describe("The figure before."),
  }),
  "wave-doc-complete-v1": z.looseObject({ waveId, files_updated: texts("Files that were changed."), ts }),
} as const satisfies Record<string, z.ZodType>;
