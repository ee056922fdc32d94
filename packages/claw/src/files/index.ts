export { syncData, syncFile, syncFolder, syncFolderLater } from "./disk-sync.ts";
export { errnoOf, fileError, unlessRefused, withFileErrors } from "./file-error.ts";
export type { FileLock } from "./file-lock.ts";
export { acquireLock, lockState } from "./file-lock.ts";
export type { FileOwner } from "./file-modes.ts";
export { fileModes } from "./file-modes.ts";
export type { FileSystem } from "./file-system.ts";
export { nodeFileSystem } from "./file-system.ts";
export { loadYaml } from "./load-yaml.ts";
export { openUnshared } from "./own-place.ts";
export {
  appendToOwn,
  CLAW_FOLDER,
  clawFolder,
  hideFromGit,
  isForeign,
  openOwnFolder,
  openToAppend,
  requireOwn,
} from "./own-place.ts";
export { readJsonFile, readSmallFile } from "./read-file.ts";
export { removeTree } from "./remove-tree.ts";
export { codeCacheHome } from "./code-cache-home.ts";
export { socketPathBytes, stateFolder, stateHome } from "./state-folder.ts";
export { openSecret, readSecret } from "./secret-file.ts";
export type { AtomicFile } from "./write-file.ts";
export {
  createAtomicFile,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  randomSuffix,
  writeAllBytes,
  writeFileAtomically,
  writeUnsynced,
} from "./write-file.ts";
