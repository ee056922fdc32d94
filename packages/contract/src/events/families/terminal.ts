import * as z from "zod";
import { bareEvent } from "../event-row.ts";
import { CLOSE_ORIGINS } from "../../wire/terminals/close-origin.ts";
import { amount, anyText, flag, text, timestamp } from "../fields.ts";

export const VEHICLE_STATES = ["PROVISIONING", "BOOTING", "READY", "BUSY", "IDLE", "CLOSING", "CLOSED"] as const;
export const TERMINAL_CONTENTS = ["shell", "claude", "python", "node", "vim", "htop", "unknown"] as const;

const terminalId = text("The terminal this is about.");
const command = text("Command line.");

export const VehicleState = z.looseObject({
  terminalId,
  from: z.enum(VEHICLE_STATES).nullable().describe("State left; null for a new terminal."),
  to: z.enum(VEHICLE_STATES).describe("State entered."),
  ts: timestamp("When."),
});
export const VehicleContent = z.looseObject({
  terminalId,
  contentType: z.enum(TERMINAL_CONTENTS).describe("What runs in the foreground."),
  foregroundPid: z.int().min(0).nullable().describe("Its process id."),
  basename: z.string().nullable().optional().describe("Name of its program."),
  detectedAt: timestamp("When it was noticed."),
  confidence: z.enum(["high", "low", "unknown"]).optional().describe("How sure that is."),
});
export const CommandStart = z.looseObject({ terminalId, command, startedAt: timestamp("When it started.") });
export const CommandEnd = z.looseObject({
  terminalId,
  command,
  exitCode: z.int().nullable().describe("Its exit; null if unknown."),
  durationMs: amount("How long it ran."),
  degraded: flag("Whether the end was inferred instead of observed.").optional(),
  endedAt: timestamp("When it ended."),
});
export const TerminalClosed = z.looseObject({
  terminal_id: anyText("The terminal this is about."),
  close_origin: z.enum(CLOSE_ORIGINS).describe("Who or what closed it."),
  closed_at: timestamp("When."),
  correlation_id: anyText("Given when the terminal was created.").optional(),
  marker_line: z.string().nullable().optional().describe("Line that announced the end."),
  exit_code: z.int().nullable().optional().describe("Exit of the program in it; null when it did not exit by itself."),
  signal: z.int().nullable().optional().describe("Number of the signal that ended the program."),
  duration_ms: amount("How long it was open.").optional(),
  status: z.enum(["completed", "failed", "timeout", "closed"]).optional().describe("How the work in it ended."),
});

export const TerminalAlive = z.looseObject({ terminal_id: text("The terminal."), ts: timestamp("When.") });

export const TERMINAL_EVENTS = [
  bareEvent({
    address: "vehicle.{terminalId}.state",
    name: "vehicle-state-v1",
    schema: VehicleState,
    summary: "A terminal changed state.",
  }),
  bareEvent({
    address: "vehicle.{terminalId}.content",
    name: "vehicle-content-v1",
    schema: VehicleContent,
    summary: "Another program came to the foreground of a terminal.",
  }),
  bareEvent({
    address: "command.{terminalId}.start",
    name: "command-start-v1",
    schema: CommandStart,
    summary: "A shell command started.",
  }),
  bareEvent({
    address: "command.{terminalId}.end",
    name: "command-end-v1",
    schema: CommandEnd,
    summary: "A shell command ended.",
  }),
  bareEvent({
    address: "system.terminal.{terminalId}.alive",
    name: "terminal-alive-v1",
    schema: TerminalAlive,
    summary: "A terminal is open. Pushed every minute to clients that count on it, and not stored.",
  }),
  bareEvent({
    address: "system.terminal.closed",
    name: "terminal-closed-v1",
    schema: TerminalClosed,
    summary: "A terminal was closed.",
  }),
] as const;
