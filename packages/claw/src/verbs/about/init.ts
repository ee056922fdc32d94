import { join } from "node:path";
import { ClawError } from "claw-contract";
import { clawFolder, errnoOf, PRIVATE_FOLDER, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";

interface Artifact {
  readonly name: string;
  /** Folders have no text. */
  readonly text?: string;
}

const ARTIFACTS: readonly Artifact[] = [
  { name: ".claw/sessions" },
  {
    name: ".claw/settings.json",
    text: `${JSON.stringify({ permissions: { defaultMode: "workspace-write" } }, null, 2)}\n`,
  },
  { name: ".claw/.gitignore", text: "sessions/\nidempotency/\nexports/\nhistory\nsettings.local.json\n" },
];

const SHARED_FILE = 0o644;

function notAFolder(path: string): ClawError {
  return new ClawError("INVALID_OUTPUT_PATH", `${path} exists and is not a folder`, {
    operation: "create",
    target: path,
    details: { path, reason: "not_a_directory" },
  });
}

function exists(artifact: Artifact, ports: Ports): boolean {
  const path = join(ports.cwd, artifact.name);
  const stats = withFileErrors("look at", path, () => ports.files.lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return false;
  if (artifact.text === undefined && !stats.isDirectory()) throw notAFolder(path);
  return true;
}

/** The folder everything goes into, checked first because nothing below it can be looked at otherwise. */
function requireHome(ports: Ports): void {
  const path = join(ports.cwd, ".claw");
  const stats = ports.files.lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory() && !stats.isSymbolicLink()) throw notAFolder(path);
  clawFolder(ports.cwd, "", ports.files);
}

function create(artifact: Artifact, ports: Ports): void {
  const path = join(ports.cwd, artifact.name);
  withFileErrors("create", path, () => {
    if (artifact.text === undefined) ports.files.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
    else writeFirst(path, artifact.text, ports);
  });
}

/** Writes a file unless another call was quicker, which comes to the same. */
function writeFirst(path: string, text: string, ports: Ports): void {
  try {
    writeFileAtomically(ports.files, path, text, { mode: SHARED_FILE, exclusive: true });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

export const handler = handle("init", {
  run: ({ dryRun }, ports) => {
    requireHome(ports);
    const missing = ARTIFACTS.filter((artifact) => !exists(artifact, ports));
    if (!dryRun) for (const artifact of missing) create(artifact, ports);
    const made = missing.length > 0;
    return {
      project_path: ports.cwd,
      already_initialized: !made,
      created: dryRun ? [] : missing.map((artifact) => artifact.name),
      skipped: ARTIFACTS.filter((artifact) => !missing.includes(artifact)).map((artifact) => artifact.name),
      artifacts: ARTIFACTS.map((artifact) => ({
        name: artifact.name,
        status: !missing.includes(artifact) ? "exists" : dryRun ? "would_create" : "created",
      })),
      next_step: "claw status",
      effect: !made ? "noop" : dryRun ? "would_create" : "created",
      ...(dryRun ? { would_affect: missing.map((artifact) => join(ports.cwd, artifact.name)) } : {}),
    };
  },
  show: ({ artifacts, project_path, already_initialized, next_step }, paint) => {
    const marks = {
      created: paint.green("created"),
      would_create: paint.yellow("would create"),
      exists: paint.dim("exists"),
    };
    const lines = artifacts.map(({ name, status }) => `  ${marks[status]}  ${name}`);
    const head = already_initialized ? `${project_path} was prepared before` : `Prepared ${project_path}`;
    return [head, ...lines, `Next: ${paint.cyan(next_step)}`].join("\n");
  },
});
