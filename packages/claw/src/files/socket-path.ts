/**
 * Longest path of a unix socket that a system takes, in bytes. A longer path would be cut off silently. Linux keeps 108
 * bytes with the last NUL, the systems that come from BSD keep 104.
 */
export const socketPathBytes = (platform: NodeJS.Platform = process.platform): number =>
  platform === "linux" ? 107 : 103;
