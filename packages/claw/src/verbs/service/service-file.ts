import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { LIMITS } from "claw-contract";
import { readSmallFile, requireOwn, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import type { Ports } from "../runtime/handle.ts";
import type { Service } from "./service-plan.ts";

/** The installed text of a service; undefined when none is installed. Throws for a link and for a foreign file. */
export function readService({ path }: Service): string | undefined {
  const stats = withFileErrors("open", path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  requireOwn(path, stats, "file");
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? file.text : "";
}

export function writeService({ path, text }: Service, { files }: Ports): void {
  withFileErrors("save", path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileAtomically(files, path, text);
  });
}

export function removeService({ path }: Service, { files }: Ports): void {
  withFileErrors("remove", path, () => files.unlinkSync(path));
}
