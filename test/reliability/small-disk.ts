import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A disk that a test can fill, empty and lock. It goes away with the test. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
  /** Says whether it worked: the kernel refuses while a file is open for writing. */
  setReadOnly(on: boolean): boolean;
}

const SIZE = "size=2m,mode=700";

const mount = (...args: string[]) => spawnSync("mount", args, { encoding: "utf8" });

/** Mounts one, or says why it cannot: only root can, and not in every container. */
export function mountSmallDisk(folder: string): SmallDisk | string {
  mkdirSync(folder);
  const { status, stderr, error } = mount("-t", "tmpfs", "-o", SIZE, "tmpfs", folder);
  if (status !== 0) return `no small disk can be mounted here: ${error?.message ?? stderr.trim()}`;
  onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
  const filler = join(folder, "filler");
  return {
    folder,
    fill: () => {
      const filled = spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4096"]);
      if (filled.status === 0) throw new Error("the disk is larger than it should be");
    },
    free: () => rmSync(filler, { force: true }),
    setReadOnly: (on) => mount("-o", `remount,${on ? "ro" : "rw"}`, folder).status === 0,
  };
}
