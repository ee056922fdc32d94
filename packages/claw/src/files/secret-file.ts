import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { ClawError } from "claw-contract";
import { errnoOf, withFileErrors } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, writeFileAtomically } from "./write-file.ts";

const SECRET_BYTES = 32;

/** Reads the secret in a file; undefined when there is no file. Throws the error of the system. */
export function readSecret(path: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates the file unless another process was quicker. Returns the content that is in the file afterwards. */
function makeSecret(fs: FileSystem, path: string): Buffer | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  try {
    const text = `${randomBytes(SECRET_BYTES).toString("hex")}\n`;
    writeFileAtomically(fs, path, text, { mode: PRIVATE_FILE, exclusive: true });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  return readSecret(path);
}

/** Removes a secret file that other users could read: they may know the secret, or may have planted the file. */
function dropExposed(path: string, report: (problem: string) => void): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || (stats.mode & 0o077) === 0) return;
  unlinkSync(path);
  report(`${path} could be read by others: a new secret takes its place, and tokens made with the old one end`);
}

/** The secret in a file that only this user can read. A missing file is created. */
export function openSecret(fs: FileSystem, path: string, report: (problem: string) => void): Uint8Array {
  return withFileErrors("open", path, () => {
    dropExposed(path, report);
    const secret = readSecret(path) ?? makeSecret(fs, path);
    if (secret?.length !== SECRET_BYTES) {
      const hint = "Remove it to have a new one made; tokens made with the old one end then.";
      throw new ClawError("FILESYSTEM_ERROR", `${path} holds no secret`, { operation: "open", target: path, hint });
    }
    return secret;
  });
}
