import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { LIMITS, parseObject } from "claw-contract";
import { readFileSync } from "node:fs";
import {
  createAtomicFile,
  openOwnFolder,
  readSmallFile,
  stateHome,
  unlessRefused,
  withFileErrors,
} from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { ConfigFile } from "./config-file.ts";

/** The folder of the copies, among claw's own. */
export const CLIENT_COPIES = "mcp-clients";

const NAME_LENGTH = 16;

const digest = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What claw keeps about a file that it has edited: copies of the file, and a record. */
export interface ConfigStore {
  readonly lockPath: string;
  /** Copies the file as it is. Returns the path of the copy; null when there is no file. */
  backUp(file: ConfigFile, occasion: "install" | "uninstall"): string | null;
  /** Notes the bytes that claw is about to write in the place of the file. */
  noteInstall(file: ConfigFile, written: Uint8Array): void;
  /**
   * The bytes from before the installation, when the file still has the bytes that claw wrote; null when there was no
   * file. Undefined when the file has changed since, or claw did not write it.
   */
  original(file: ConfigFile): Buffer | null | undefined;
}

interface InstallRecord {
  readonly existed: boolean;
  readonly before: string | null;
  readonly written: string;
}

/** The store for the files of one client, in claw's own folder: copies may hold keys. */
export function openConfigStore(path: string, { env, files }: Pick<Ports, "env" | "files">): ConfigStore {
  const folder = join(stateHome(env), CLIENT_COPIES);
  const name = `${digest(path).slice(0, NAME_LENGTH)}-${basename(path)}`;
  const copyPath = (occasion: string): string => join(folder, `${name}.before-${occasion}`);
  const recordPath = join(folder, `${name}.record`);
  const save = (target: string, bytes: Uint8Array | string): void =>
    withFileErrors("save", target, () => {
      openOwnFolder(folder);
      const file = createAtomicFile(files, target);
      try {
        file.write(bytes);
        file.commit();
      } finally {
        file.discard();
      }
    });
  const readRecord = (): Partial<InstallRecord> => {
    const file = readSmallFile(recordPath, LIMITS.settingsBytes);
    return file.kind === "text" ? (parseObject(file.text) ?? {}) : {};
  };
  const isAsWritten = ({ bytes }: ConfigFile): boolean => bytes !== undefined && readRecord().written === digest(bytes);
  return {
    lockPath: join(folder, `${name}.lock`),
    backUp: ({ bytes, ...file }, occasion) => {
      if (bytes === undefined) return null;
      // Until the user edits the file, the first copy holds the user's bytes.
      if (occasion === "uninstall" || !isAsWritten({ bytes, ...file })) save(copyPath(occasion), bytes);
      return copyPath(occasion);
    },
    noteInstall: (file, written) => {
      const known = isAsWritten(file) ? readRecord() : {};
      const { existed = file.bytes !== undefined, before = file.bytes === undefined ? null : digest(file.bytes) } =
        known;
      save(recordPath, `${JSON.stringify({ existed, before, written: digest(written) })}\n`);
    },
    original: (file) => {
      const { existed, before } = readRecord();
      if (!isAsWritten(file) || existed === undefined) return undefined;
      if (!existed) return null;
      const copy = unlessRefused(() => readFileSync(copyPath("install")));
      return copy !== undefined && digest(copy) === before ? copy : undefined;
    },
  };
}
