import { ClawError, LIMITS, VERSIONS } from "claw-contract";

/** The last file of a backup: it lists the others, so a backup that was cut off has none. */
export const LIST_NAME = "claw-backup.json";

export interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface BackupList {
  /** Version of the form of the backup. */
  readonly backup: number;
  /** Version of claw that wrote the backup. */
  readonly version: string;
  readonly created_at: string;
  readonly workspace: string;
  readonly files: readonly ListedFile[];
}

export const invalidBackup = (target: string, why: string): ClawError =>
  new ClawError("BACKUP_INVALID", `${target} is no backup that can be used: ${why}`, {
    operation: "read_backup",
    target,
  });

const isFile = (value: unknown): value is ListedFile => {
  const { path, size, sha256 } = (value ?? {}) as Partial<Record<keyof ListedFile, unknown>>;
  return typeof path === "string" && Number.isSafeInteger(size) && /^[0-9a-f]{64}$/.test(String(sha256));
};

const isList = (value: unknown): value is BackupList => {
  const { version, created_at, workspace, files } = (value ?? {}) as Partial<Record<keyof BackupList, unknown>>;
  const isText = [version, created_at, workspace].every((text) => typeof text === "string");
  return isText && Array.isArray(files) && files.every(isFile);
};

/** Refuses a backup in a form that only a newer version of claw knows. */
function requireForm(file: string, form: unknown): void {
  const { newest } = VERSIONS.backup;
  if (!Number.isSafeInteger(form) || Number(form) < 1) throw invalidBackup(file, "its list names no version");
  if (Number(form) <= newest) return;
  throw new ClawError(
    "FORMAT_UNSUPPORTED",
    `${file} has version ${String(form)}; this version of claw reads up to ${newest}`,
    {
      operation: "read_backup",
      target: file,
    },
  );
}

/** Reads the list of a backup. Throws BACKUP_INVALID or FORMAT_UNSUPPORTED. */
export function parseList(file: string, bytes: Buffer): BackupList {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw invalidBackup(file, "its list is no JSON");
  }
  requireForm(file, (value as { backup?: unknown } | null)?.backup);
  if (isList(value)) return value;
  throw invalidBackup(file, "its list lacks fields");
}

const SEGMENT = /^[^/\\\0]+$/;

/** Whether a path of a backup leads into the folders of claw, and nowhere else. */
export function isBackupPath(path: string): boolean {
  const [root = "", ...rest] = path.split("/");
  if (root !== ".claw" && root !== ".claws") return false;
  const isPlain = (part: string): boolean => SEGMENT.test(part) && part !== "." && part !== "..";
  return rest.length > 0 && rest.every(isPlain) && Buffer.byteLength(path) <= LIMITS.backupPathBytes;
}
