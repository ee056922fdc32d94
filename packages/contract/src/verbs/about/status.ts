import * as z from "zod";
import { PermissionModeChoice } from "../../settings/settings.ts";
import { SANDBOX_KINDS } from "../../settings/settings-words.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { ClusterPlace, Count, NextStep, RunningWorker } from "../../verb/output-parts.ts";

const Origin = z.enum(["flag", "env", "config", "default"]);

export const status = defineVerb({
  name: "status",
  group: "ask",
  summary: "Show model, permissions, usage, folder and git. Needs no credentials.",
  input: z.object({
    model: z
      .string()
      .optional()
      .describe("Model to report on instead of the configured one.")
      .meta({ error: "INVALID_MODEL" }),
    permissionMode: PermissionModeChoice.optional()
      .describe("Permission mode to report on instead of the configured one.")
      .meta({ error: "INVALID_PERMISSION_MODE" }),
  }),
  output: z.object({
    kind: z.literal("status"),
    status: z.enum(["ok", "warn", "degraded"]),
    config_load_error: z.string().nullable(),
    config_load_error_kind: z.string().nullable(),
    model: z.string().nullable(),
    model_source: Origin,
    model_raw: z.string().nullable().describe("The requested model, when it differs from the model in use."),
    model_env_var: z.string().nullable(),
    model_validation_error: z.string().nullable(),
    model_validation_error_kind: z.string().nullable(),
    permission_mode: z.string(),
    permission_mode_source: Origin,
    format_source: Origin,
    format_raw: z.string().nullable(),
    format_overridden: z.array(z.string()).describe("Earlier --output-format values that the last one replaced."),
    usage: z.object({
      messages: Count,
      turns: Count,
      latest_total: Count,
      cumulative_input: Count,
      cumulative_output: Count,
      cumulative_total: Count,
      estimated_tokens: Count,
    }),
    session: z
      .object({ session_id: z.string(), path: z.string(), last_modified: z.string(), stopped: z.boolean() })
      .nullable()
      .describe("The session that `latest` names."),
    sessions: z.object({ directory: z.string(), total_count: Count }),
    daemon: z
      .object({
        pid: Count,
        socket: z.string(),
        http: z.string().nullable(),
        durability: z.enum(["strict", "relaxed"]),
        cluster: ClusterPlace.optional(),
        policy: z.enum(["strict", "compat"]),
        started_at: z.string(),
      })
      .nullable()
      .describe("The daemon of this folder, when one runs."),
    workers: z.array(RunningWorker).describe("Workers whose processes run, with or without the daemon."),
    sandbox: z
      .object({
        active: z.boolean().describe("Whether the agent's commands run in the sandbox."),
        kind: z.enum(SANDBOX_KINDS).nullable(),
        reason: z.string().nullable().describe("Why the sandbox is not active."),
      })
      .describe(
        "The sandbox of the agent's commands, as tried out in the last ten minutes. `claw doctor` tries it anew.",
      ),
    workspace: z.object({
      cwd: z.string(),
      project_root: z.string(),
      git_branch: z.string().nullable(),
      git_state: z.enum(["clean", "dirty", "no_repository", "unknown"]),
      changed_files: Count,
      loaded_config_files: z.array(z.string()),
    }),
    next_steps: z.array(NextStep),
  }),
  errors: ["INVALID_PERMISSION_MODE", "INVALID_MODEL"],
  effect: "read",
  examples: [{ description: "For a program", command: "claw status --output-format json" }],
});
