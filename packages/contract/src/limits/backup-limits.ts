/** Limits of backups; part of `LIMITS`. */
export const BACKUP_LIMITS = {
  /** Bytes of all files in a backup together, as they are on disk. */
  backupBytes: 64 * 1024 * 1024 * 1024,
  /** Files in a backup. */
  backupFiles: 500_000,
  /** Bytes of a path in a backup. */
  backupPathBytes: 1024,
  /** Bytes of the list of files at the end of a backup. */
  backupListBytes: 256 * 1024 * 1024,
} as const;
