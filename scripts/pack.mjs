import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildLibraries } from "./pack/build-libraries.mjs";
import { makeTarball } from "./pack/make-tarball.mjs";
import { stageLibrary, stageProgram } from "./pack/stage.mjs";
import { setUp } from "./setup.mjs";

const USAGE = "npm run pack -- --out FOLDER";

/** Writes the tarballs of the three packages to a folder; the dependencies are installed. Resolves with their paths. */
export async function pack(out) {
  const work = mkdtempSync(join(tmpdir(), "claw-pack-"));
  try {
    mkdirSync(out, { recursive: true });
    const built = await buildLibraries();
    const staged = [
      await stageProgram(join(work, "claw")),
      stageLibrary("client", built, join(work, "client")),
      stageLibrary("contract", built, join(work, "contract")),
    ];
    return await Promise.all(staged.map((folder) => makeTarball(folder, out)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  if (values.out === undefined) {
    console.error(USAGE);
    process.exit(1);
  }
  await setUp({ installOnly: true });
  for (const path of await pack(resolve(values.out))) console.log(path);
}
