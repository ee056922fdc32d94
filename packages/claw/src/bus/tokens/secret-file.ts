import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { ClawError } from "@claw/contract";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, PRIVATE_FILE, PRIVATE_FOLDER, withFileErrors, writeFileAtomically } from "../../files/index.ts";

const SECRET_BYTES = 32;

function readSecret(path: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes the file unless another process was quicker; what stands in it afterwards counts. */
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

/** The secret in a file that only this user can read, made when it is not there. */
export function openSecret(fs: FileSystem, path: string): Uint8Array {
  return withFileErrors("open", path, () => {
    const secret = readSecret(path) ?? makeSecret(fs, path);
    if (secret?.length !== SECRET_BYTES) {
      throw new ClawError("FILESYSTEM_ERROR", `${path} holds no secret`, { operation: "open", target: path });
    }
    chmodSync(path, PRIVATE_FILE);
    return secret;
  });
}
