import { accessSync, constants } from "node:fs";
import type { VerbOutput } from "claw-contract";
import { ClawError, errorRow, isSecretName, LIMITS } from "claw-contract";
import type { AgentReport } from "../../harness/index.ts";
import { inspectAgents } from "../../harness/index.ts";
import { runGit } from "../../process/index.ts";
import { loadPrices, loadSettings } from "../../settings/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { tryOutSandbox } from "./sandbox-state.ts";
import { isWholePlatform } from "../runtime/require-platform.ts";
import { plural } from "../text/text-layout.ts";

type Check = VerbOutput<"doctor">["checks"][number];

interface Finding {
  readonly status: Check["status"];
  readonly summary: string;
  readonly fix?: string;
}

interface DoctorCheck {
  readonly id: string;
  readonly name: string;
  readonly look: (ports: Ports) => Finding | Promise<Finding>;
}

const OLDEST_NODE = [20, 19] as const;

export function lookAtNode(platform: NodeJS.Platform = process.platform): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  const summary = `Node ${process.versions.node} on ${platform} ${process.arch}`;
  if (!fits) return { status: "fail", summary, fix: `Install Node ${OLDEST_NODE.join(".")} or newer.` };
  if (isWholePlatform(platform)) return { status: "ok", summary };
  const served = "only commands that start no program and ask no daemon work there";
  return { status: "warn", summary: `${summary}: ${served}`, fix: errorRow("PLATFORM_UNSUPPORTED").hint };
}

function lookAtFolder({ cwd }: Ports): Finding {
  try {
    accessSync(cwd, constants.R_OK | constants.W_OK | constants.X_OK);
    return { status: "ok", summary: `${cwd} can be read and written` };
  } catch {
    return { status: "fail", summary: `${cwd} cannot be written`, fix: "Work in a folder you own." };
  }
}

function lookAtSettings({ cwd, env }: Ports): Finding {
  const settings = loadSettings(cwd, env);
  if (settings.error !== null) {
    return { status: "fail", summary: settings.error, fix: "Mend the file, then run: claw config" };
  }
  if (settings.warnings.length > 0) {
    return { status: "warn", summary: settings.warnings.join("; "), fix: "Remove what has no effect." };
  }
  const loaded = settings.files.filter((file) => file.status === "loaded").length;
  return { status: "ok", summary: loaded === 0 ? "no settings; defaults hold" : `${plural(loaded, "file")} in use` };
}

/** Looks at the ends of the newest sessions; reading all of them is `load-session`'s work. */
function lookAtSessions({ sessions }: Ports): Finding {
  try {
    const { entries, ignored } = sessions.list();
    for (const entry of entries.slice(0, LIMITS.listDefault)) sessions.glimpse(entry);
    if (ignored.length === 0) return { status: "ok", summary: plural(entries.length, "stored session") };
    return {
      status: "warn",
      summary: `no session files: ${ignored.join(", ")}`,
      fix: "Move them out of .claw/sessions.",
    };
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    return { status: "fail", summary: error.message, fix: error.hint };
  }
}

async function lookAtGit({ cwd, signal }: Ports): Promise<Finding> {
  const limits = { timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const result = await runGit({ args: ["version"], cwd, ...limits }, signal);
  signal.throwIfAborted();
  if (result.kind === "exited" && result.code === 0) return { status: "ok", summary: result.stdout.trim() };
  return { status: "warn", summary: "git is not installed", fix: "Install git to see branches and changes." };
}

function shortly({ program, version, problem }: AgentReport): string {
  return problem ?? `${program} ${version ?? "of unknown version"}`;
}

async function lookAtAgents({ cwd, env, signal }: Ports): Promise<Finding> {
  const installed = (await inspectAgents({ cwd, env }, signal)).filter(({ path }) => path !== null);
  if (installed.length === 0) {
    return { status: "warn", summary: "no agent's CLI is installed", fix: "Install Claude Code or Codex to run it." };
  }
  const summary = installed.map(shortly).join(", ");
  if (installed.every(({ problem }) => problem === null)) return { status: "ok", summary };
  return { status: "warn", summary, fix: "See what is wrong: claw harnesses" };
}

export const sandboxFix = (platform: NodeJS.Platform = process.platform): string =>
  platform === "linux"
    ? "Install bubblewrap; until then only harmless commands run unasked."
    : "Until there is a sandbox, only harmless commands run unasked.";

async function lookAtSandbox(ports: Ports): Promise<Finding> {
  const settings = loadSettings(ports.cwd, ports.env);
  const { active, kind, reason } = await tryOutSandbox(ports, settings, "workspace-write");
  if (active) return { status: "ok", summary: `commands of the agent run in ${kind ?? "it"}` };
  const summary = `commands of the agent run without a sandbox: ${reason ?? "unknown"}`;
  return { status: "warn", summary, fix: sandboxFix() };
}

/** Reports only which keys are set, by name, and never a value. */
function lookAtCredentials({ env }: Ports): Finding {
  const names = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENROUTER_API_KEY"].filter(
    (name) => isSecretName(name) && env[name],
  );
  if (names.length > 0) return { status: "ok", summary: `set: ${names.join(", ")}` };
  const fix = "Set ANTHROPIC_API_KEY or OPENAI_API_KEY; --model scripted needs none.";
  return { status: "warn", summary: "no model key is set", fix };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Prices change. With old prices, a budget stops at a wrong amount. */
function lookAtPrices({ cwd, env }: Ports): Finding {
  const { asOf, path, problem } = loadPrices(cwd, env);
  const fix = "Name a newer table by `pricesFile` in your settings, or update claw.";
  if (problem !== null) return { status: "warn", summary: problem, fix: "Mend the file that `pricesFile` names." };
  const summary = `prices of ${asOf}${path === null ? ", part of claw" : `, from ${path}`}`;
  const days = Math.floor((Date.now() - Date.parse(asOf)) / DAY_MS);
  if (days <= LIMITS.pricesOldDays) return { status: "ok", summary };
  return { status: "warn", summary: `${summary}: ${plural(days, "day")} old`, fix };
}

export const CHECKS: readonly DoctorCheck[] = [
  { id: "node", name: "Node", look: () => lookAtNode() },
  { id: "folder", name: "Working folder", look: lookAtFolder },
  { id: "settings", name: "Settings", look: lookAtSettings },
  { id: "sessions", name: "Sessions", look: lookAtSessions },
  { id: "git", name: "Git", look: lookAtGit },
  { id: "agents", name: "Agents", look: lookAtAgents },
  { id: "sandbox", name: "Sandbox", look: lookAtSandbox },
  { id: "prices", name: "Prices", look: lookAtPrices },
  { id: "credentials", name: "Credentials", look: lookAtCredentials },
];

export async function runDoctorCheck(check: DoctorCheck, ports: Ports): Promise<Check> {
  const { status, summary, fix = null } = await check.look(ports);
  return { id: check.id, name: check.name, status, ok: status !== "fail", summary, fix };
}
