import { resolve } from "node:path";
import { lastChars } from "../tools/log.ts";
import { callVerb } from "../call-verb.ts";
import type { OldHandlers } from "./old-tool.ts";
import { request, requestEverywhere } from "./old-tool.ts";

type Names = "claws_list" | "claws_create" | "claws_exec" | "claws_read_log" | "claws_poll" | "claws_close";

const DEFAULT_LINES = 50;
const MAX_LOG_CHARS = 40_000;
const EXEC_MS = 40_000;

/** Terminals. */
export const TERMINAL_HANDLERS: OldHandlers<Names> = {
  claws_list: async (_input, { ports }) => ({
    terminals: (await requestEverywhere(ports, "list")).flatMap(({ terminals }) => terminals),
  }),
  claws_create: async ({ name, cwd }, { ports }) => {
    const { data } = await callVerb("terminal create", { name, folder: cwd }, ports);
    const id = data.terminal_id ?? "";
    return {
      ok: true,
      terminal_id: id,
      name: data.name ?? name,
      correlation_id: id,
      monitor_arm_required: false as const,
      monitor_arm_command: "",
      events_log_path: resolve(ports.cwd, ".claws", "log"),
    };
  },
  claws_exec: async ({ id, command, timeout_ms: timeoutMs = EXEC_MS }, { ports }) => {
    const fields = { terminalId: String(id), command, timeoutMs };
    const { exitCode, output } = await request(ports, "exec", fields);
    return { ok: exitCode === 0, exit_code: exitCode, output };
  },
  claws_read_log: async ({ id, lines = DEFAULT_LINES }, { ports }) => {
    const { text, next } = await lastChars(String(id), MAX_LOG_CHARS, ports);
    return { id: String(id), text: text.split("\n").slice(-lines).join("\n"), next_offset: next };
  },
  claws_poll: (input, { ports }) => request(ports, "poll", input),
  claws_close: ({ id }, { ports }) => request(ports, "close", { terminalId: String(id) }),
};
