import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { bundleProgram } from "../build.mjs";
import { bundlePage, PAGE_FOLDER, writePage } from "../build-page.mjs";
import { writeFiles } from "./build-libraries.mjs";
import { packedManifest, root } from "./packed-manifest.mjs";
import { thirdPartyLicences } from "./third-party-licences.mjs";

const LICENCES = "THIRD-PARTY-LICENSES.txt";

/** Pages for people who use claw; the others are for those who change it. */
const isForUsers = (path) => !/\/docs\/(?:adr|plots|generated\/(?!.*\.md$).+|benchmarks\.md|walks\.md)/.test(path);

/** Puts what every package has into its folder. */
function stageCommon(name, folder, files) {
  mkdirSync(folder, { recursive: true });
  const write = (file, text) => writeFileSync(join(folder, file), text);
  write("package.json", `${JSON.stringify(packedManifest(name, [...files, "CHANGELOG.md"]), null, 2)}\n`);
  for (const file of ["LICENSE", "CHANGELOG.md"]) cpSync(join(root, file), join(folder, file));
  cpSync(join(root, "packages", name, "README.md"), join(folder, "README.md"));
}

/** The folder of a package that programs import: built modules and types. */
export function stageLibrary(name, built, folder) {
  stageCommon(name, folder, ["dist"]);
  writeFiles(join(folder, "dist"), built.get(name) ?? []);
  return folder;
}

/** The folder of the program: its bundle, the pages about it, the licences of what is in the bundle. */
export async function stageProgram(folder) {
  stageCommon("claw", folder, ["bin", "dist", "docs", LICENCES]);
  cpSync(join(root, "packages/claw/bin"), join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "dist"));
  const [{ files, metafiles }, page] = await Promise.all([bundleProgram(), bundlePage()]);
  for (const { path, contents } of files) writeFileSync(join(folder, "dist", basename(path)), contents);
  writePage(page.files, join(folder, "dist", basename(PAGE_FOLDER)));
  cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true, filter: isForUsers });
  writeFileSync(join(folder, LICENCES), thirdPartyLicences([...metafiles, page.metafile]));
  return folder;
}
