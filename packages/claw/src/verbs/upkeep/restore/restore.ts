import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, VERSIONS } from "claw-contract";
import type { FileLock } from "../../../files/index.ts";
import { acquireLock, hideFromGit, PRIVATE_FOLDER, removeTree, withFileErrors } from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { requireConsent } from "../../runtime/require-consent.ts";
import { plural } from "../../text/text-layout.ts";
import type { BackupList } from "../archive/file-list.ts";
import { readArchive } from "../archive/read-archive.ts";
import { renumberLog } from "./renumber-log.ts";
import { requireStill } from "./require-still.ts";
import { CHECK_ONLY, createStage } from "./stage-files.ts";
import { stageOf } from "./restore-mark.ts";
import { decideRestore, finishRestore, newFolder } from "./swap-folders.ts";

type Input = VerbInput<"restore">;
type Output = VerbOutput<"restore">;

function fileOf({ file }: Input, { cwd }: Ports): string {
  const path = resolve(cwd, file);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  throw new ClawError("BACKUP_NOT_FOUND", `there is no file ${path}`, { operation: "restore", target: path });
}

/** The folders of the workspace that the backup takes the place of. */
const replacedBy = ({ files }: BackupList, cwd: string): string[] =>
  [".claw", ".claws"]
    .filter((root) => files.some(({ path }) => path.startsWith(`${root}/`)))
    .map((root) => join(cwd, root))
    .filter((path) => existsSync(path));

const outputOf = (file: string, list: BackupList, cwd: string) => ({
  file,
  files: list.files.length,
  bytes: list.files.reduce((sum, { size }) => sum + size, 0),
  version: list.version,
  created_at: list.created_at,
  workspace: list.workspace,
  replaced: replacedBy(list, cwd),
});

/** Refuses a log that only a newer version of claw reads. */
function requireReadable(prepared: string, file: string): void {
  const meta = join(prepared, ".claws", "log", "meta.json");
  if (!existsSync(meta)) return;
  const version = Number(/"version" *: *(\d+)/.exec(readFileSync(meta, "utf8"))?.[1] ?? 1);
  const { newest } = VERSIONS.log;
  if (version <= newest) return;
  throw new ClawError(
    "FORMAT_UNSUPPORTED",
    `the log in ${file} has version ${version}; this version of claw reads up to ${newest}`,
    {
      operation: "restore",
      target: file,
    },
  );
}

/** Makes the folder for the new files, empty. A killed call may have left some there. */
function openStage({ cwd, files }: Ports): void {
  const stage = stageOf(cwd);
  withFileErrors("restore", stage, () => {
    mkdirSync(stage, { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of ["new", "old"]) removeTree(files, join(stage, name));
    mkdirSync(newFolder(cwd), { mode: PRIVATE_FOLDER });
  });
  hideFromGit(stage);
}

async function prepare(file: string, ports: Ports): Promise<void> {
  const { cwd, files } = ports;
  openStage(ports);
  const stage = createStage(files, newFolder(cwd));
  try {
    await readArchive(file, stage, ports.signal);
  } finally {
    stage.close();
  }
  requireReadable(newFolder(cwd), file);
  renumberLog(files, join(newFolder(cwd), ".claws"), join(cwd, ".claws"));
}

/** Removes a folder that was made for its lock alone. */
function removeIfEmpty(path: string): void {
  if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
}

/** Takes what a daemon and another restore would take. Throws DAEMON_RUNNING. */
async function takePlace({ cwd, files, signal }: Ports): Promise<FileLock> {
  const claws = join(cwd, ".claws");
  const isMade = mkdirSync(claws, { recursive: true, mode: PRIVATE_FOLDER }) !== undefined;
  const attempt = await acquireLock(files, { path: join(claws, "daemon.lock"), waitMs: 0 }, signal);
  if (attempt.kind === "acquired") {
    const { release } = attempt.lock;
    return { release: () => (release(), isMade && removeIfEmpty(claws)) };
  }
  throw new ClawError("DAEMON_RUNNING", `process ${attempt.owner?.pid ?? "?"} starts a daemon or restores here`, {
    operation: "restore",
    target: cwd,
    hint: "Wait until it is done, then call again.",
  });
}

async function putBack(file: string, ports: Ports): Promise<void> {
  const { cwd, files, signal } = ports;
  const lock = await takePlace(ports);
  try {
    await prepare(file, ports);
    signal.throwIfAborted();
    requireStill(ports);
    decideRestore(files, cwd);
  } catch (error) {
    if (!finishRestore(files, cwd)) removeTree(files, stageOf(cwd));
    throw error;
  } finally {
    lock.release();
  }
}

async function restore(input: Input, ports: Ports): Promise<Output> {
  const { cwd, files, signal, notes } = ports;
  const file = fileOf(input, ports);
  requireStill(ports);
  if (!input.dryRun && finishRestore(files, cwd)) notes.warn("RESTORE_FINISHED: an earlier restore had been cut off");
  const list = await readArchive(file, CHECK_ONLY, signal);
  const output = outputOf(file, list, cwd);
  if (list.workspace !== realpathSync(cwd)) {
    notes.warn(`OTHER_FOLDER: the backup is of ${list.workspace}; workers in it name that folder`);
  }
  const isNew = output.replaced.length === 0;
  const would = { effect: isNew ? "would_create" : "would_update", would_affect: output.replaced } as const;
  if (input.dryRun) return { ...output, ...would };
  if (!isNew) {
    const question = `Replace ${output.replaced.join(" and ")} by the backup of ${list.created_at}`;
    const partial = { ...output, ...would };
    await requireConsent({ question, operation: "restore", target: cwd, yes: input.yes, partial }, ports);
  }
  await putBack(file, ports);
  return { ...output, effect: isNew ? "created" : "updated" };
}

export const handler = handle("restore", {
  run: restore,
  show: ({ file, files, created_at, replaced, effect }, paint) => {
    const isPlan = effect.startsWith("would_");
    const place = replaced.length === 0 ? "" : `, in place of ${replaced.join(" and ")}`;
    return [
      `${isPlan ? "Would restore" : "Restored"} ${plural(files, "file")} of ${created_at} from ${paint.bold(file)}${place}`,
      ...(isPlan ? [] : [`start  ${paint.cyan("claw up")}`]),
    ].join("\n");
  },
});
