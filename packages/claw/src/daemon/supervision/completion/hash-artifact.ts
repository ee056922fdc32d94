import { createHash } from "node:crypto";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { LIMITS } from "claw-contract";
import { errnoOf } from "../../../files/index.ts";

export type ArtifactHash =
  | { readonly sha256: string; readonly size_bytes: number }
  | { readonly sha256: null; readonly problem: ArtifactProblem };

export type ArtifactProblem = "missing" | "outside" | "not_a_file" | "too_large" | "unreadable";

const noHash = (problem: ArtifactProblem): ArtifactHash => ({ sha256: null, problem });

const isWithin = (path: string, root: string): boolean => {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
};

const PROBLEMS: Readonly<Record<string, ArtifactProblem>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  // The target of a link is not the file that the worker handed over.
  ELOOP: "not_a_file",
  EISDIR: "not_a_file",
  ENXIO: "not_a_file",
};

/**
 * The real path of an artifact, links in its folders followed; undefined when the path leads out of the worker's
 * folder.
 */
async function locate(path: string, cwd: string | null): Promise<string | undefined> {
  if (cwd === null) return undefined;
  const [whole, root] = [resolve(cwd, path), await realpath(cwd)];
  if (!isWithin(whole, cwd) && !isWithin(whole, root)) return undefined;
  const real = join(await realpath(dirname(whole)), basename(whole));
  return isWithin(real, root) ? real : undefined;
}

async function hashOf(file: FileHandle, signal: AbortSignal): Promise<ArtifactHash> {
  const stat = await file.stat();
  if (!stat.isFile()) return noHash("not_a_file");
  if (stat.size > LIMITS.artifactBytes) return noHash("too_large");
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false, signal })) {
    size += (chunk as Buffer).length;
    // The file may grow during the read.
    if (size > LIMITS.artifactBytes) return noHash("too_large");
    hash.update(chunk as Buffer);
  }
  return { sha256: hash.digest("hex"), size_bytes: size };
}

/** Hashes a regular file that a worker hands over, or says why not. Waits for no device. Rejects only when aborted. */
export async function hashArtifact(path: string, cwd: string | null, signal: AbortSignal): Promise<ArtifactHash> {
  let file: FileHandle | undefined;
  try {
    const place = path.includes("\0") ? undefined : await locate(path, cwd);
    if (place === undefined) return noHash("outside");
    file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return await hashOf(file, signal);
  } catch (error) {
    signal.throwIfAborted();
    return noHash(PROBLEMS[errnoOf(error) ?? ""] ?? "unreadable");
  } finally {
    await file?.close();
  }
}
