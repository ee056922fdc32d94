import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Progress } from "../suite.ts";

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Says why nothing is compared with NATS. */
export function explainNats(progress: Progress): void {
  const missing = isOnPath("nats-server") ? "no client of it is installed" : "nats-server not found";
  for (const name of ["NATS core", "NATS JetStream"]) progress(`${name}: skipped: ${missing}`);
}
