import { existsSync } from "node:fs";

/**
 * A name for an open file or folder that leads to it even when another entry has taken its path. Linux has such names
 * below `/proc`; null elsewhere. `owner` is the process that opened it.
 */
export const descriptorPlace = (fd: number, owner: number | "self" = "self", proc = "/proc"): string | null =>
  existsSync(`${proc}/self/fd`) ? `${proc}/${owner}/fd/${fd}` : null;
