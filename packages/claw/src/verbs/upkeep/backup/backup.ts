import { lstatSync, mkdirSync, readdirSync, realpathSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { PRIVATE_FOLDER, withFileErrors } from "../../../files/index.ts";
import { isRunning } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { requireConsent } from "../../runtime/require-consent.ts";
import { plural } from "../../text/text-layout.ts";
import { writeArchive } from "../archive/write-archive.ts";
import type { LogEnd } from "./collect-sources.ts";
import { BACKED_UP, collectSources, isSession, measure, nameOf } from "./collect-sources.ts";

type Output = VerbOutput<"backup">;

const stamp = (date: Date): string =>
  date
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, "")
    .replace("T", "-")
    .replace("Z", "");

/** Backups hold environments of workers, so their place is outside of the files that agents see. */
function defaultFile({ cwd, env }: Ports): string {
  const { XDG_DATA_HOME: data = "", HOME: home = "" } = env;
  const folder = isAbsolute(data) ? data : isAbsolute(home) ? join(home, ".local", "share") : dirname(cwd);
  return join(folder, "claw", "backups", `${nameOf(cwd)}-${stamp(new Date())}.tar.gz`);
}

function fileOf({ file }: VerbInput<"backup">, ports: Ports): string {
  const path = file === undefined ? defaultFile(ports) : resolve(ports.cwd, file);
  const isIn = BACKED_UP.some((root) => `${path}/`.startsWith(`${join(ports.cwd, root)}/`));
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isIn && !isFolder) return path;
  const why = isIn ? "a backup cannot be a part of itself" : "it is a folder";
  throw new ClawError("INVALID_OUTPUT_PATH", `${path}: ${why}`, { operation: "backup", target: path });
}

/** Removes temporary files that killed calls left beside the backup. */
function removeLeftOvers(path: string): void {
  const start = `.${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const [, pid] = (name.startsWith(start) ? /^(\d+)-\w+\.tmp$/.exec(name.slice(start.length)) : null) ?? [];
    const writer = { pid: Number(pid), started: null, boot: null, host: hostname() };
    if (pid !== undefined && !isRunning(writer)) unlinkSync(join(dirname(path), name));
  }
}

interface Content {
  readonly files: readonly { readonly path: string }[];
  readonly bytes: number;
}

const outputOf = (file: string, { files, bytes }: Content, { sequence }: LogEnd) => ({
  file,
  files: files.length,
  bytes,
  sessions: files.filter(({ path }) => isSession(path)).length,
  sequence,
});

async function backUp(input: VerbInput<"backup">, ports: Ports): Promise<Output> {
  const { cwd, files: fs, toolVersion, signal } = ports;
  const file = fileOf(input, ports);
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  const would: Pick<Output, "effect" | "would_affect"> = {
    effect: isThere ? "would_update" : "would_create",
    would_affect: [file],
  };
  const end: LogEnd = { sequence: null };
  if (input.dryRun) return { ...outputOf(file, measure({ fs, cwd }, end), end), ...would };
  if (isThere) {
    const partial = { file, effect: would.effect };
    await requireConsent(
      { question: `Replace ${file}`, operation: "backup", target: file, yes: input.yes, partial },
      ports,
    );
  }
  withFileErrors("save", file, () => {
    if (input.file === undefined) mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    removeLeftOvers(file);
  });
  const about = { version: toolVersion, created_at: new Date().toISOString(), workspace: realpathSync(cwd) };
  const stored = await writeArchive(
    collectSources({ fs, cwd }, end),
    { fs, path: file, replace: isThere, about },
    signal,
  );
  return { ...outputOf(file, stored, end), effect: isThere ? "updated" : "created" };
}

export const handler = handle("backup", {
  run: backUp,
  show: ({ file, files, sessions, sequence, effect }, paint) => {
    const log = sequence === null ? "no log" : `the log up to event ${sequence}`;
    const done = effect.startsWith("would_") ? "Would write" : "Wrote";
    return `${done} ${paint.bold(file)}: ${plural(files, "file")}, ${plural(sessions, "session")}, ${log}\nrestore  ${paint.cyan(`claw restore ${file}`)}`;
  },
});
