import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { clawFolder, hideFromGit, PRIVATE_FOLDER } from "../../files/index.ts";
import { resolvePath } from "../permissions/resolve-path.ts";

/** The folder for whole outputs of tools, and for entries taken away after a command; git ignores the folder. */
export function openOutputsFolder(root: string): string {
  const folder = join(root, ".claw", "outputs");
  if (resolvePath(folder, { cwd: root }) !== folder) {
    throw new ClawError("PERMISSION_DENIED", `${folder} is a link to another place`, {
      operation: "keep_output",
      target: folder,
      hint: "Remove the link.",
    });
  }
  clawFolder(root, "outputs");
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  hideFromGit(folder);
  return folder;
}
