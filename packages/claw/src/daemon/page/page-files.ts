import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { withFileErrors } from "../../files/index.ts";

/** One file of the page, compressed when the page was built. */
export interface PageFile {
  readonly type: string;
  /** Hash of the content. */
  readonly digest: string;
  /** Whether the name holds a hash of the content, so that a browser may keep the file for ever. */
  readonly isImmutable: boolean;
  readonly br: Uint8Array;
  readonly gzip: Uint8Array;
}

/** The files of the page by their path below the page's address. */
export type PageFiles = ReadonlyMap<string, PageFile>;

interface FileRow {
  readonly path: string;
  readonly type: string;
  readonly digest: string;
  readonly isImmutable: boolean;
}

/** The list of the page's files, which `scripts/build` writes beside them. */
const PAGE_TABLE = "files.json";

/**
 * Reads all files, so that a page stays whole when an upgrade replaces the files under a running daemon. Throws
 * DAEMON_FAILED when this build has no page, and file errors.
 */
export function loadPageFiles(folder: string): PageFiles {
  const read = (name: string): Buffer => withFileErrors("read", folder, () => readFileSync(join(folder, name)));
  const rows = readTable(folder, () => read(PAGE_TABLE).toString());
  return new Map(
    rows.map(({ path, ...row }) => [path, { ...row, br: read(`${path}.br`), gzip: read(`${path}.gz`) }] as const),
  );
}

function readTable(folder: string, read: () => string): readonly FileRow[] {
  try {
    return JSON.parse(read()) as readonly FileRow[];
  } catch (error) {
    throw new ClawError("DAEMON_FAILED", `${folder} holds no page`, {
      operation: "open_page",
      target: folder,
      hint: "Install claw again, or build it: npm run build. Then restart the daemon: claw down, claw up.",
      cause: error,
    });
  }
}
