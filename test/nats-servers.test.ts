import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../packages/claw/src/files/testing/temporary-folder.ts";
import { findNatsServers, giveNewestNats, newestSources } from "../scripts/nats/give-nats.mjs";

describe("the machine's own sources, with another suite", () => {
  test("keep the address and the keys of the release, and nothing of security, updates or other sources", () => {
    const stanza = (uri: string, suites: string) =>
      `Types: deb\nURIs: ${uri}\nSuites: ${suites}\nComponents: main\nSigned-By: /keys/debian.gpg\n`;
    const texts = [
      [stanza("file:/main", "bookworm bookworm-updates"), stanza("file:/sec", "bookworm-security")].join("\n"),
      stanza("file:/other", "nodistro"),
      `Enabled: no\n${stanza("file:/off", "bookworm")}`,
    ];
    expect(newestSources(texts, "bookworm")).toEqual({
      list: "",
      sources: "Types: deb\nURIs: file:/main\nSuites: sid\nComponents: main\nSigned-By: /keys/debian.gpg",
    });
  });

  test("are read from one-line files too", () => {
    const text = [
      "# deb file:/main bookworm main",
      "deb [trusted=yes] file:/main bookworm main contrib",
      "deb-src file:/main bookworm main",
      "deb file:/main bookworm-updates main",
      "deb file:/other cloud main",
    ].join("\n");
    expect(newestSources([text], "bookworm")).toEqual({
      list: "deb [trusted=yes] file:/main sid main contrib",
      sources: "",
    });
  });
});

const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** A package source in a folder, whose suite `sid` has a `nats-server` that says a version. */
function packageSource(folder: string): string {
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  };
  const content = join(folder, "content");
  write(join(content, "usr/sbin/nats-server"), "#!/bin/sh\necho nats-server: v9.8.7\n", 0o755);
  const about = "Package: nats-server\nVersion: 9.8.7-1\nArchitecture: all\nMaintainer: a <a@example.org>\n";
  write(join(content, "DEBIAN/control"), `${about}Description: test\n`);
  const source = join(folder, "source");
  const deb = join(source, "pool/nats-server.deb");
  mkdirSync(dirname(deb), { recursive: true });
  execFileSync("dpkg-deb", ["--build", "--root-owner-group", content, deb], { stdio: "ignore" });
  const listed = `${about}Filename: pool/nats-server.deb\nSize: ${statSync(deb).size}\nSHA256: ${sha256(deb)}\n`;
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  const index = `main/binary-${architecture}/Packages`;
  const suite = join(source, "dists/sid");
  write(join(suite, index), `${listed}Description: test\n`);
  const sum = ` ${sha256(join(suite, index))} ${statSync(join(suite, index)).size} ${index}\n`;
  const release = `Suite: sid\nCodename: sid\nArchitectures: ${architecture}\nComponents: main\nSHA256:\n${sum}`;
  write(join(suite, "Release"), `Date: Thu, 01 Jan 2026 00:00:00 UTC\n${release}`);
  return source;
}

const isDebian = ((): boolean => {
  try {
    return execFileSync("apt-get", ["--version"], { stdio: "ignore" }) === null;
  } catch {
    return false;
  }
})();

describe("the newest server of Debian", () => {
  const settings = (folder: string, source: string, id = "debian") => {
    mkdirSync(join(folder, "etc"));
    writeFileSync(join(folder, "etc/sources.list"), source);
    writeFileSync(join(folder, "os-release"), `ID=${id}\nVERSION_CODENAME=bookworm\n`);
    return { cache: join(folder, "cache"), etc: join(folder, "etc"), osRelease: join(folder, "os-release") };
  };

  test.skipIf(!isDebian)("is fetched with an apt of its own, unpacked and kept; and then found", () => {
    const folder = temporaryFolder(onTestFinished);
    const options = settings(folder, `deb [trusted=yes] file:${packageSource(folder)} bookworm main\n`);
    const path = giveNewestNats(options);
    expect(readdirSync(options.cache)).toEqual(["newest"]);
    writeFileSync(join(options.etc, "sources.list"), "");
    expect(giveNewestNats(options)).toBe(path);
    const found = findNatsServers({ ...process.env, CLAW_NATS_CACHE: options.cache });
    expect(found.at(-1)).toEqual({ path, version: "9.8.7" });
  });

  test("cannot be had where there is no source of Debian, and the error says so", () => {
    const folder = temporaryFolder(onTestFinished);
    const options = settings(folder, "deb file:/other cloud main\n");
    expect(() => giveNewestNats(options)).toThrow(`no package source of Debian in ${options.etc}`);
    const other = temporaryFolder(onTestFinished);
    expect(() => giveNewestNats(settings(other, "", "alpine"))).toThrow("this system is not Debian");
  });
});
