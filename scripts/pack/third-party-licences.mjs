import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packed-manifest.mjs";

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

const ORIGIN = /github\.com[/:][^/]+\/[^/]+?(?=\.git|\/|$)/;

/** Files of licences, by their usual names. */
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The packages whose code is in a bundle, by esbuild's own account of it, sorted. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)),
  );
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(used.flatMap(([path]) => PACKAGE_FOLDER.exec(path)?.[0] ?? []));
  return [...folders]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }))
    .map(({ folder, name, version, license, repository }) => {
      const origin = ORIGIN.exec(repository?.url ?? repository ?? "")?.[0] ?? folder;
      return { folder, name, version, licence: license, origin };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const licenceFiles = ({ folder }) => readdirSync(join(root, folder)).filter((file) => LICENCE_FILE.test(file));

/** A package without a text has that of another package of the same repository. */
function textOf(one, packages) {
  const source = [one, ...packages.filter(({ origin }) => origin === one.origin)].find(
    (each) => each.licence === one.licence && licenceFiles(each).length > 0,
  );
  if (source === undefined) throw new Error(`${one.name} brings no text of its licence`);
  return licenceFiles(source)
    .toSorted((file, other) => (file < other ? -1 : 1))
    .map((file) => readFileSync(join(root, source.folder, file), "utf8").trim())
    .join("\n\n");
}

/** The licences of all code in the bundle that is not claw's. */
export function thirdPartyLicences(metafiles) {
  const packages = bundledPackages(metafiles);
  const parts = packages.map((each) => `${each.name} ${each.version} (${each.licence})\n\n${textOf(each, packages)}\n`);
  return [`claw's program holds code of these packages.\n`, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}
