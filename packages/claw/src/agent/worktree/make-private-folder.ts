import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openOwnFolder, PRIVATE_FOLDER, randomSuffix } from "../../files/index.ts";
import { copyIndex } from "../../process/index.ts";
import { askRepository } from "./ask-repository.ts";
import { writeTipRecord } from "./tip-record.ts";
import type { WorkerTree } from "./worker-tree.ts";
import { privateFolder } from "./worker-tree.ts";

/** Settings of the person and the repository for making files and commits. None of these settings names a program. */
const COPIED =
  "^(core\\.(filemode|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf)|user\\.(name|email)|i18n\\.commitencoding)$";

/** Author of the commits when git knows no name for the person. */
const AUTHOR = { "user.name": "claw", "user.email": "claw@localhost" };

function readSettings(listing: string): Record<string, string> {
  const pairs = listing.split("\0").flatMap((entry) => {
    const cut = entry.indexOf("\n");
    return cut < 0 ? [] : [[entry.slice(0, cut), entry.slice(cut + 1)] as const];
  });
  return Object.fromEntries(pairs);
}

const quoteSetting = (value: string): string => `"${value.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[\r\n\0]/g, " ")}"`;

/** Settings in the format of a git config file. */
function settingsText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    const cut = name.lastIndexOf(".");
    return `[${name.slice(0, cut)}]\n\t${name.slice(cut + 1)} = ${quoteSetting(value)}\n`;
  });
  return lines.join("");
}

async function privateSettings(tree: WorkerTree, tip: string): Promise<string> {
  const listed = await askRepository(tree, ["config", "-z", "--get-regexp", COPIED]);
  const isSha256 = tip.length === 64;
  return settingsText({
    "core.repositoryformatversion": isSha256 ? "1" : "0",
    ...(isSha256 ? { "extensions.objectformat": "sha256" } : {}),
    ...AUTHOR,
    ...(listed.ok ? readSettings(listed.text) : {}),
    "core.bare": "false",
    "core.logallrefupdates": "true",
    "commit.gpgsign": "false",
    // Objects that git packs anew would have to be taken anew.
    "gc.auto": "0",
    "maintenance.auto": "false",
  });
}

const MAX_REFS = 1000;

/** The other branches and tags with their current commits, so that a worker can compare. */
async function knownRefs(tree: WorkerTree): Promise<string> {
  const format = "--format=%(objectname) %(refname)";
  const listed = await askRepository(tree, ["for-each-ref", format, "refs/heads", "refs/tags", "refs/remotes"]);
  const lines = listed.ok ? listed.text.split("\n") : [];
  const whole = lines.filter((line) => /^[0-9a-f]{40,64} refs\/\S+$/.test(line) && !line.endsWith(` ${tree.ref}`));
  return whole
    .slice(0, MAX_REFS)
    .map((line) => `${line}\n`)
    .join("");
}

/** Files of the repository that tell git how to read its history and files. */
const SHARED = ["shallow", join("info", "exclude"), join("info", "attributes")];

function copyFiles({ own, common }: WorkerTree, folder: string): void {
  for (const name of SHARED.filter((each) => existsSync(join(common, each)))) {
    copyFileSync(join(common, name), join(folder, name));
  }
  // A split index is useless without the other half. Git makes a new index when the file is missing.
  const isSplit = readdirSync(own).some((name) => name.startsWith("sharedindex."));
  if (!isSplit && existsSync(join(own, "index"))) copyIndex(join(own, "index"), join(folder, "index"));
}

/**
 * Creates the private git folder of a worker at the commit of the worker's branch: a separate index and references, no
 * hooks, and the repository's objects as alternates. The folder appears as a whole or not at all. Throws a file error.
 */
export async function makePrivateFolder(tree: WorkerTree, tip: string): Promise<void> {
  const { place, common, ref } = tree;
  openOwnFolder(dirname(place));
  const making = { ...tree, place: `${place}.${randomSuffix()}.new` };
  const folder = privateFolder(making);
  const [settings, refs] = [await privateSettings(tree, tip), await knownRefs(tree)];
  try {
    for (const name of ["objects/info", "objects/pack", dirname(ref), "refs/tags", "info", "hooks"]) {
      mkdirSync(join(folder, name), { recursive: true, mode: PRIVATE_FOLDER });
    }
    const files = {
      HEAD: `ref: ${ref}\n`,
      [ref]: `${tip}\n`,
      "packed-refs": refs,
      "objects/info/alternates": `${join(common, "objects")}\n`,
      config: settings,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    copyFiles(tree, folder);
    writeTipRecord(making, { base: tip, tip, moving: null });
    // Another process may have made the folder meanwhile; that folder is as good.
    if (!existsSync(place)) renameSync(making.place, place);
  } finally {
    rmSync(making.place, { recursive: true, force: true });
  }
}
