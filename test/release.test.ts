import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../packages/claw/src/files/testing/temporary-folder.ts";
import { bundledPackages } from "../scripts/pack/third-party-licences.mjs";
import { checkChangelog } from "../scripts/release/check-changelog.ts";
import { requireCleanTree, requireOneVersion } from "../scripts/release/check-tree.ts";
import { checksums } from "../scripts/release/checksums.ts";
import { nextSteps } from "../scripts/release/next-steps.ts";
import { createPrograms } from "../scripts/release/programs.ts";
import type { LockedPackages } from "../scripts/release/sbom.ts";
import { makeSbom } from "../scripts/release/sbom.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("the changelog of a release", () => {
  const released = "## 1.2.0 (2026-02-28)\n\n- Something new.\n\n## 1.1.0 (2026-01-01)\n\n- Older.\n";

  test("has a section of the version, with its day, at the top", () => {
    expect(checkChangelog(`# Changelog\n\n${released}`, "1.2.0")).toBe("1.2.0 (2026-02-28)");
    expect(
      checkChangelog(`# Changelog\r\n\r\n## Unreleased\r\n\r\n${released.replaceAll("\n", "\r\n")}`, "1.2.0"),
    ).toBe("1.2.0 (2026-02-28)");
  });

  test.each([
    ["", "no section for 1.2.0"],
    ["## Unreleased\n\n- New.\n", "no section for 1.2.0"],
    ["## 1.2.01 (2026-02-28)\n\n- New.\n", "no section for 1.2.0"],
    ["## 1.2.0\n\n- New.\n", "with the day"],
    ["## 1.2.0 (2026-02-30)\n\n- New.\n", "with the day"],
    ["## 1.2.0 (soon)\n\n- New.\n", "with the day"],
    ["## 1.2.0 (2026-02-28)\n\n## 1.1.0 (2026-01-01)\n\n- Older.\n", "says nothing about 1.2.0"],
    [`## 1.3.0 (2026-03-01)\n\n- Newer.\n\n${released}`, "newest first"],
    [`${released}\n${released}`, "2 sections for 1.2.0"],
    [`## Unreleased\n\n- Left behind.\n\n${released}`, 'changes under "Unreleased"'],
    [`## [Unreleased]\n\n- Left behind.\n\n${released}`, 'changes under "[Unreleased]"'],
  ])("is refused when it is %j", (text, reason) => {
    expect(() => checkChangelog(text, "1.2.0")).toThrow(reason);
  });
});

describe("the SBOM", () => {
  const input = (path: string, bytesInOutput: number): object => ({ [path]: { bytesInOutput } });
  const inputs = {
    ...input("node_modules/zod/v4/core/core.js", 7),
    ...input("node_modules/@modelcontextprotocol/client/dist/index.js", 7),
    ...input("node_modules/yaml/dist/index.js", 0),
    ...input("packages/claw/src/cli/main.ts", 7),
  };
  const metafile = { outputs: { "claw.cjs": { inputs } } } as unknown as Parameters<typeof bundledPackages>[0][number];
  const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: LockedPackages;
  };
  const commit = { id: "c0ffee", time: "2026-02-28T12:00:00Z" };
  const source = { version: "1.2.0", commit, bundled: bundledPackages([metafile]), locked };
  const zod = String(locked["node_modules/zod"]?.version);
  const mcp = String(locked["node_modules/@modelcontextprotocol/client"]?.version);
  const purls = [`pkg:npm/%40modelcontextprotocol/client@${mcp}`, `pkg:npm/zod@${zod}`];

  interface Component {
    readonly type: string;
    readonly "bom-ref": string;
    readonly group?: string;
    readonly name: string;
    readonly purl: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly object[];
  }

  interface Sbom {
    readonly serialNumber: string;
    readonly metadata: { readonly timestamp: string; readonly component: Component };
    readonly components: readonly Component[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  }

  const parse = (): Sbom => JSON.parse(makeSbom(source)) as Sbom;

  test("has the head that CycloneDX 1.6 asks for", () => {
    const sbom = parse();
    expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sbom.metadata).toMatchObject({
      timestamp: commit.time,
      component: { type: "application", name: "claw-cli" },
    });
  });

  test("lists the packages whose code is in the bundle, and no other", () => {
    expect(parse().components.map(({ purl }) => purl)).toEqual(purls);
    expect(parse().components).toMatchObject([
      { type: "library", group: "@modelcontextprotocol", name: "client", version: mcp },
      { type: "library", name: "zod", version: zod, licenses: [{ license: { id: "MIT" } }] },
    ]);
  });

  test("has the digest of each package that npm checks", () => {
    const { components } = parse();
    const integrity = components.map(({ hashes: [hash] }) => {
      expect(hash?.content).toMatch(/^[0-9a-f]{128}$/);
      return `${hash?.alg} ${Buffer.from(hash?.content ?? "", "hex").toString("base64")}`;
    });
    const folders = ["node_modules/@modelcontextprotocol/client", "node_modules/zod"];
    expect(integrity).toEqual(folders.map((folder) => locked[folder]?.integrity?.replace("sha512-", "SHA-512 ")));
  });

  test("names every component once, and refers to no other", () => {
    const { metadata, components, dependencies } = parse();
    const names = [metadata.component, ...components].map((one) => one["bom-ref"]);
    expect(new Set(names).size).toBe(names.length);
    expect(dependencies.map(({ ref }) => ref)).toEqual(names);
    expect(dependencies).toEqual([
      { ref: "pkg:npm/claw-cli@1.2.0", dependsOn: purls },
      { ref: purls[0], dependsOn: [purls[1]] },
      { ref: purls[1], dependsOn: [] },
    ]);
  });

  test("is the same for the same commit, and has another number for another", () => {
    expect(makeSbom(source)).toBe(makeSbom({ ...source, bundled: source.bundled.toReversed() }));
    const other = JSON.parse(makeSbom({ ...source, commit: { ...commit, id: "decaf" } })) as Sbom;
    expect(other.serialNumber).not.toBe(parse().serialNumber);
  });

  const one = { folder: "node_modules/one", name: "one", version: "1.0.0", licence: "(MIT OR Apache-2.0)" };
  const entry = { version: "1.0.0", integrity: "sha512-AAAA" };
  const sbomOfOne = (changed: object, lockEntry: object | undefined = entry): string =>
    makeSbom({ ...source, bundled: [{ ...one, ...changed }], locked: { "node_modules/one": lockEntry } });

  test("writes several licences as one expression", () => {
    const [component] = (JSON.parse(sbomOfOne({})) as Sbom).components;
    expect(component?.licenses).toEqual([{ expression: "(MIT OR Apache-2.0)" }]);
  });

  test("finds a package below the one that needs it before another of this name", () => {
    const inner = { folder: "node_modules/one/node_modules/two", name: "two", version: "2.0.0", licence: "MIT" };
    const outer = { folder: "node_modules/two", name: "two", version: "1.0.0", licence: "MIT" };
    const tree = {
      "packages/claw": { devDependencies: { one: "1.0.0", two: "1.0.0" } },
      [one.folder]: { ...entry, dependencies: { two: "^2.0.0" } },
      [inner.folder]: { ...entry, version: "2.0.0" },
      [outer.folder]: entry,
    };
    const { dependencies } = JSON.parse(makeSbom({ ...source, bundled: [one, inner, outer], locked: tree })) as Sbom;
    expect(dependencies.slice(0, 2).map(({ dependsOn }) => dependsOn)).toEqual([
      ["pkg:npm/one@1.0.0", "pkg:npm/two@1.0.0"],
      ["pkg:npm/two@2.0.0"],
    ]);
  });

  test.each([
    [{ licence: undefined }, entry, "names no SPDX licence"],
    [{ licence: "SEE LICENSE IN x" }, entry, "names no SPDX licence"],
    [{ licence: "UNLICENSED" }, entry, "names no SPDX licence"],
    [{ version: "1.0.1" }, entry, "the lock file has 1.0.0"],
    [{ folder: "node_modules/missing" }, entry, "the lock file has none there"],
    [{}, { version: "1.0.0" }, "no integrity of one"],
    [{}, { version: "1.0.0", integrity: "md5-AAAA" }, "no integrity of one"],
  ])("is refused for a package with %j and %j in the lock file", (changed, lockEntry, reason) => {
    expect(() => sbomOfOne(changed, lockEntry)).toThrow(reason);
  });
});

test("SHA256SUMS is what sha256sum reads, sorted by name", () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, "b"), "abc");
  writeFileSync(join(folder, "a"), "");
  expect(checksums(folder, ["b", "a"])).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n" +
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n",
  );
});

/** Puts the files that name versions into a folder. */
function putManifests(folder: string): void {
  for (const path of [
    "package-lock.json",
    ...["claw", "client", "contract"].map((name) => `packages/${name}/package.json`),
  ]) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
}

/** Makes a folder a repository with one commit of all its files. Returns what runs git there. */
function commitAll(folder: string): (...args: string[]) => string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
  const git = (...args: string[]): string =>
    execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).trim();
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "all");
  return git;
}

describe("a tree", () => {
  /** A repository with the manifests of this one, committed. */
  function createTree(): { folder: string; git: (...args: string[]) => string } {
    const folder = temporaryFolder(onTestFinished);
    putManifests(folder);
    return { folder, git: commitAll(folder) };
  }

  test("without changes has a commit and its time", () => {
    const { folder, git } = createTree();
    const { id, time } = requireCleanTree(folder);
    expect(id).toBe(git("rev-parse", "HEAD"));
    expect(Date.parse(time)).toBe(Number(git("log", "-1", "--format=%ct")) * 1000);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test("with a changed or a new file is refused, and the file named", () => {
    const { folder } = createTree();
    writeFileSync(join(folder, "package-lock.json"), "{}");
    writeFileSync(join(folder, "new.txt"), "");
    expect(() => requireCleanTree(folder)).toThrow("not committed: package-lock.json, new.txt");
  });

  test("has one version, which the packages, their needs and the lock file name", () => {
    const { folder } = createTree();
    const version = requireOneVersion(folder);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    for (const path of ["packages/client/package.json", "packages/contract/package.json", "package-lock.json"]) {
      const text = readFileSync(join(folder, path), "utf8");
      writeFileSync(join(folder, path), text.replaceAll(`"${version}"`, '"9.9.9"'));
      expect(() => requireOneVersion(folder)).toThrow("one version, but claw-cli is");
      writeFileSync(join(folder, path), text);
    }
    expect(requireOneVersion(folder)).toBe(version);
  });
});

test("what a release started ends with it, children included", async () => {
  const programs = createPrograms();
  const folder = temporaryFolder(onTestFinished);
  const begun = join(folder, "begun");
  execFileSync("mkfifo", [begun]);
  const running = programs.run(["sh", "-c", 'sleep 1000 & echo > "$0"; wait', begun], { cwd: folder });
  readFileSync(begun, "utf8");
  // The child holds the same output, so the run is not over while the child lives.
  const [ended] = await Promise.allSettled([running, programs.end()]);
  expect(String((ended as PromiseRejectedResult).reason)).toContain("ended with SIGTERM");
  await expect(programs.run(["true"], { cwd: folder })).rejects.toThrow("true was not started");
});

test("a program that fails is named, with the end of its output", async () => {
  const programs = createPrograms();
  await expect(programs.run(["sh", "-c", "echo said; echo wrong >&2; exit 3"], { cwd: root })).rejects.toThrow(
    /^sh -c .* ended with 3\n[^]*said\n+wrong/,
  );
  await expect(programs.run([join(root, "no-such-program")], { cwd: root })).rejects.toThrow("ENOENT");
});

describe("npm run release", () => {
  const releaseIn = (cwd: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, ["--import", "tsx", "scripts/release.ts", ...args], { cwd, encoding: "utf8" });
  const release = (...args: string[]): ReturnType<typeof releaseIn> => releaseIn(root, ...args);

  test("publishes nothing, and says how a person does", () => {
    const { status, stdout, stderr } = release();
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("this command publishes nothing");
    expect(stderr).toContain(nextSteps(requireOneVersion(root), undefined));
  });

  test("refuses a flag that it does not know", () => {
    const { status, stderr } = release("--publish");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("--publish") as string });
  });

  test("names the step at which it stops: a changelog whose version has no day", () => {
    const folder = temporaryFolder(onTestFinished);
    putManifests(folder);
    for (const name of ["scripts", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, ".gitignore"), "node_modules\n");
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\n- New.\n");
    commitAll(folder);
    const version = requireOneVersion(root);
    const { status, stdout, stderr } = releaseIn(folder, "--dry-run");
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `FAIL  changelog: CHANGELOG.md has no section for ${version}; write "## ${version} (YYYY-MM-DD)"\n`,
    });
    expect(stdout).toMatch(/^ok {4}tree: clean, at [0-9a-f]{12}\nok {4}versions: \S+\n$/);
  });
});
