import { createHash } from "node:crypto";
import type { BundledPackage } from "../pack/third-party-licences.mjs";

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What `package-lock.json` says, by the folder of each package. */
export type LockedPackages = Readonly<Record<string, LockEntry | undefined>>;

interface SbomSource {
  readonly version: string;
  readonly commit: { readonly id: string; readonly time: string };
  readonly bundled: readonly BundledPackage[];
  readonly locked: LockedPackages;
}

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

/** `@scope/name` in the two fields of the format. */
function namesOf(full: string): { readonly group?: string; readonly name: string } {
  const [group, name] = full.split("/");
  return name === undefined ? { name: full } : { group: String(group), name };
}

/** One licence by its SPDX name, or an expression of several. */
function licencesOf(name: string, licence: string | undefined): readonly object[] {
  if (licence === undefined || /^$|^UNLICENSED$|^SEE /.test(licence)) throw new Error(`${name} names no SPDX licence`);
  return /[\s(]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

const ALGORITHMS: Readonly<Record<string, string>> = { sha512: "SHA-512", sha384: "SHA-384", sha256: "SHA-256" };

/** The digest of the package's tarball, by which npm checks it. */
function hashOf({ name }: BundledPackage, integrity: string | undefined): { alg: string; content: string } {
  const [, algorithm = "", base64 = ""] = /^(\w+)-([\w+/]+=*)/.exec(integrity ?? "") ?? [];
  const alg = ALGORITHMS[algorithm];
  if (alg === undefined) throw new Error(`the lock file has no integrity of ${name}`);
  return { alg, content: Buffer.from(base64, "base64").toString("hex") };
}

function componentOf(one: BundledPackage, locked: LockedPackages): object {
  const { folder, name, version, licence } = one;
  const entry = locked[folder];
  if (entry?.version !== version) {
    throw new Error(
      `${name} ${version} is installed in ${folder}; the lock file has ${entry?.version ?? "none there"}`,
    );
  }
  const purl = purlOf(name, version);
  const licenses = licencesOf(name, licence);
  const hashes = [hashOf(one, entry.integrity)];
  return { type: "library", "bom-ref": purl, ...namesOf(name), version, hashes, licenses, purl };
}

/** Where Node finds a package that the code in a folder imports. */
function placeOf(from: string, name: string, locked: LockedPackages): string | undefined {
  const inner = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (locked[inner] !== undefined) return inner;
  return from === "" ? undefined : placeOf(from.replace(/(?:^|\/)[^/]*$/, ""), name, locked);
}

/** The purls of the bundled packages that the packages in some folders need. */
function neededBy(folders: readonly string[], { bundled, locked }: SbomSource): string[] {
  const byFolder = new Map(bundled.map((one) => [one.folder, purlOf(one.name, one.version)]));
  const needed = folders.flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = locked[folder] ?? {};
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies });
    return names.flatMap((name) => byFolder.get(placeOf(folder, name, locked) ?? "") ?? []);
  });
  return [...new Set(needed)].toSorted();
}

/** A UUID that follows from a text; its version is 8, as for all UUIDs of one's own making. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** Lists what the program's bundle holds, in CycloneDX 1.6. The same commit gives the same text. */
export function makeSbom(source: SbomSource): string {
  const { version, commit, locked } = source;
  const self = purlOf("claw-cli", version);
  const bundled = [...new Map(source.bundled.map((one) => [purlOf(one.name, one.version), one]))].toSorted(
    ([one], [other]) => (one < other ? -1 : 1),
  );
  const workspaces = Object.keys(locked).filter((folder) => /^packages\/[^/]+$/.test(folder));
  const foldersOf = (purl: string): string[] =>
    source.bundled.filter(({ name, version: its }) => purlOf(name, its) === purl).map(({ folder }) => folder);
  const licenses = [{ license: { id: "MIT" } }];
  const sbom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`claw-cli ${version} ${commit.id}`)}`,
    version: 1,
    metadata: {
      timestamp: commit.time,
      component: { type: "application", "bom-ref": self, name: "claw-cli", version, licenses, purl: self },
      properties: [{ name: "claw:commit", value: commit.id }],
    },
    components: bundled.map(([, one]) => componentOf(one, locked)),
    dependencies: [
      { ref: self, dependsOn: neededBy(workspaces, source) },
      ...bundled.map(([purl]) => ({ ref: purl, dependsOn: neededBy(foldersOf(purl), source) })),
    ],
  };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}
