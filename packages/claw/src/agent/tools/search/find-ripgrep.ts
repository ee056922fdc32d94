import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ClawError } from "claw-contract";
import { findProgram } from "../../../process/index.ts";

/** Set only in the bundle, a CommonJS file, where `import.meta.url` is missing. */
declare const __filename: string | undefined;

/** The binary in ripgrep's package for a platform. */
export const ripgrepBinary = (platform: NodeJS.Platform = process.platform, arch: string = process.arch): string =>
  `@vscode/ripgrep-${platform}-${arch}/bin/rg${platform === "win32" ? ".exe" : ""}`;

const BINARY = ripgrepBinary();

/** The running file: the bundle, or this module. */
const here = (): string => (typeof __filename === "string" ? __filename : import.meta.url);

function resolveFrom(place: string, name: string): string | null {
  try {
    return createRequire(place).resolve(name);
  } catch {
    // Not installed there.
    return null;
  }
}

/** The ripgrep binary of the package `@vscode/ripgrep`, installed beside or below that package. */
function packaged(): string | null {
  const own = resolveFrom(here(), "@vscode/ripgrep");
  const beside = own === null ? null : join(dirname(dirname(dirname(dirname(own)))), BINARY);
  return (
    [resolveFrom(here(), BINARY), own === null ? null : resolveFrom(own, BINARY), beside].find(
      (path): path is string => path !== null && existsSync(path),
    ) ?? null
  );
}

/** Where ripgrep is: the one claw is installed with, or the system's. Throws ClawError when there is none. */
export function findRipgrep(path: string | undefined): string {
  const own = packaged();
  if (own !== null) return own;
  const found = findProgram("rg", { path, cwd: "/" });
  if (found.kind === "found") return found.path;
  throw new ClawError("FILESYSTEM_ERROR", "ripgrep is not installed, so nothing can be searched", {
    operation: "find_program",
    target: "rg",
    hint: "Install ripgrep, or install claw again.",
  });
}
