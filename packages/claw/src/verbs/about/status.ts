import type { SessionTotals, VerbInput, VerbOutput } from "claw-contract";
import { ClawError, errorRow, isoTime } from "claw-contract";
import { findDaemon, runningWorkers } from "../../daemon/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { chooseModel, choosePermissionMode, isModelId } from "../agent/choose-model.ts";
import type { ModelChoice } from "../agent/choose-model.ts";
import { readGitState } from "./git-state.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { requireMode } from "../agent/permission-mode.ts";
import { readSandboxState } from "./sandbox-state.ts";
import { relativePath } from "../sessions/session-answer.ts";
import { nextSteps, pairs, plural } from "../text/text-layout.ts";
import { clusterRows } from "../text/cluster-rows.ts";
import { ago } from "../text/times.ts";

type Input = VerbInput<"status">;
type Output = VerbOutput<"status">;

function modelFields(choice: ModelChoice) {
  const valid = isModelId(choice.value);
  if (!valid && choice.source === "flag") {
    throw new ClawError("INVALID_MODEL", `'${choice.value.slice(0, 200)}' cannot be a model id`, {
      operation: "choose_model",
      target: "--model",
    });
  }
  return {
    model: valid ? choice.value : null,
    model_source: choice.source,
    model_raw: valid ? null : choice.value,
    model_env_var: choice.variable,
    model_validation_error: valid ? null : `${choice.variable ?? "model"} holds no model id`,
    model_validation_error_kind: valid ? null : errorRow("INVALID_MODEL").kind,
  };
}

function usageFields(totals: SessionTotals | undefined): Output["usage"] {
  const input = totals?.input_tokens ?? 0;
  const output = totals?.output_tokens ?? 0;
  return {
    messages: totals?.messages ?? 0,
    turns: totals?.turns ?? 0,
    latest_total: totals?.latest_total ?? 0,
    cumulative_input: input,
    cumulative_output: output,
    cumulative_total: input + output,
    estimated_tokens: totals?.estimated_tokens ?? 0,
  };
}

/** The newest session; one that cannot be looked at is a warning here, not a failure. */
function sessionFields(ports: Ports): Pick<Output, "session" | "sessions" | "usage"> {
  const directory = relativePath(ports, ports.sessions.directory);
  try {
    const total = ports.sessions.list().entries.length;
    const sessions = { directory, total_count: total };
    if (total === 0) return { usage: usageFields(undefined), session: null, sessions };
    const entry = ports.sessions.find("latest");
    const session = {
      session_id: entry.id,
      path: entry.path,
      last_modified: isoTime(entry.modifiedMs),
      stopped: !ports.sessions.isHeld(entry.id),
    };
    return { usage: usageFields(ports.sessions.glimpse(entry).totals), session, sessions };
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    ports.notes.warn(`${error.code}: ${error.message}`);
    return { usage: usageFields(undefined), session: null, sessions: { directory, total_count: 0 } };
  }
}

function daemonFields({ cwd }: Ports): Output["daemon"] {
  const daemon = findDaemon(cwd);
  if (daemon === undefined) return null;
  const { pid, socket, http, durability, cluster, policy, started_at } = daemon;
  return { pid, socket, http, durability, ...(cluster === undefined ? {} : { cluster }), policy, started_at };
}

function suggestions(hasSettings: boolean, hasSession: boolean): Output["next_steps"] {
  return [
    ...(hasSettings ? [] : [{ command: "claw init", description: "prepare this folder" }]),
    hasSession
      ? { command: "claw export", description: "read the newest session" }
      : { command: "claw -p hello --model scripted", description: "ask the agent, without a key" },
    { command: "claw doctor", description: "check what claw needs here" },
    { command: "claw help", description: "see every command" },
  ];
}

async function run({ model, permissionMode }: Input, ports: Ports): Promise<Output> {
  const settings = loadSettings(ports.cwd, ports.env);
  for (const warning of settings.warnings) ports.notes.warn(warning);
  const mode = choosePermissionMode(permissionMode, settings, ports.env);
  requireMode(mode);
  const chosen = modelFields(chooseModel(model, settings, ports.env));
  const [git, sandbox] = await Promise.all([
    readGitState(ports.cwd, ports.signal),
    readSandboxState(ports, settings, mode.value),
  ]);
  const loaded = settings.files.filter((file) => file.status === "loaded").map((file) => file.path);
  const stored = sessionFields(ports);
  const broken = settings.error !== null;
  return {
    kind: "status",
    status: broken ? "degraded" : chosen.model === null ? "warn" : "ok",
    config_load_error: settings.error,
    config_load_error_kind: broken ? errorRow("CONFIG_INVALID").kind : null,
    ...chosen,
    permission_mode: mode.value,
    permission_mode_source: mode.source,
    format_source: ports.format.source,
    format_raw: ports.format.raw,
    format_overridden: [...ports.format.overridden],
    ...stored,
    daemon: daemonFields(ports),
    workers: runningWorkers(ports.cwd),
    sandbox,
    workspace: {
      cwd: ports.cwd,
      project_root: git.root ?? ports.cwd,
      git_branch: git.branch,
      git_state: git.state,
      changed_files: git.changedFiles,
      loaded_config_files: loaded,
    },
    next_steps: suggestions(loaded.length > 0, stored.session !== null),
  };
}

function gitText({ git_branch, git_state, changed_files }: Output["workspace"]): string {
  if (git_state === "no_repository") return "no repository";
  if (git_state === "unknown") return "unknown";
  const changes = changed_files === 0 ? "clean" : plural(changed_files, "changed file");
  return `${git_branch ?? "detached"}, ${changes}`;
}

function sandboxText({ active, kind, reason }: Output["sandbox"]): string {
  return active ? `commands run in ${kind ?? "one"}` : `none: ${reason ?? "unknown"}`;
}

function daemonText(daemon: Output["daemon"]): string {
  if (daemon === null) return "not running";
  const policy = daemon.policy === "compat" ? ", compat policy" : "";
  return `process ${daemon.pid}${daemon.http === null ? "" : `, ${daemon.http}`}${policy}`;
}

function workersText({ workers, daemon }: Output): string {
  const names = workers.map(({ name }) => name).join(", ");
  return daemon === null ? `${names} (they go on without a daemon: claw up)` : names;
}

export const handler = handle("status", {
  run,
  show: (status, paint) => {
    const colour = { ok: paint.green, warn: paint.yellow, degraded: paint.red }[status.status];
    const session = status.session;
    const rows: [string, string][] = [
      ["status", colour(status.status)],
      ["folder", status.workspace.cwd],
      ["git", gitText(status.workspace)],
      [
        "model",
        `${status.model ?? paint.red(status.model_validation_error ?? "none")} ${paint.dim(`(${status.model_source})`)}`,
      ],
      ["permissions", `${status.permission_mode} ${paint.dim(`(${status.permission_mode_source})`)}`],
      ["sandbox", sandboxText(status.sandbox)],
      ["sessions", plural(status.sessions.total_count, "session")],
      ...(session === null
        ? []
        : [["newest", `${session.session_id}, ${ago(session.last_modified, Date.now())}`] as [string, string]]),
      ["daemon", daemonText(status.daemon)],
      ...(status.daemon === null ? [] : clusterRows(status.daemon)),
      ...(status.workers.length === 0 ? [] : [["workers", workersText(status)] as [string, string]]),
      ...(status.config_load_error === null
        ? []
        : [["settings", paint.red(status.config_load_error)] as [string, string]]),
    ];
    return `${pairs(rows, paint)}\n\n${nextSteps(status.next_steps, paint)}`;
  },
});
