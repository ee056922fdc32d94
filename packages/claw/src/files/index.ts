export { errnoOf, fileError, unlessRefused, withFileErrors } from "./file-error.ts";
export type { FileLock } from "./file-lock.ts";
export { acquireLock, lockState } from "./file-lock.ts";
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
export { socketPathBytes } from "./socket-path.ts";
export { codeCacheHome } from "./code-cache-home.ts";
export { stateFolder, stateHome } from "./state-folder.ts";
export { openSecret, readSecret } from "./secret-file.ts";
export type { AtomicFile } from "./write-file.ts";
export {
  createAtomicFile,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  randomSuffix,
  syncFolder,
  writeAllBytes,
  writeFileAtomically,
} from "./write-file.ts";
