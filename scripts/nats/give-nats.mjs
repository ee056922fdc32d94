import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const PACKAGE = "nats-server";
/** The suite of Debian that has the newest packages. */
const NEWEST_SUITE = "sid";
/** Names under which a machine's own source may list its release. */
const MOVING_SUITES = ["stable", "testing", "unstable", "sid"];

/** Where the newest server is kept between runs: outside the tree. Removing the folder makes the next run fetch it again. */
export function natsFolder(env = process.env) {
  const own = process.getuid?.() === 0 ? "/var/cache" : join(homedir(), ".cache");
  return env.CLAW_NATS_CACHE || join(env.XDG_CACHE_HOME || own, "claw-test", "nats");
}

const programIn = (folder) => join(folder, "usr", "sbin", PACKAGE);

/** The version that a program says, such as `2.9.10`; nothing when the program cannot be run. */
function versionOf(program) {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 60_000 });
  return /v(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1];
}

/**
 * The servers that this machine has, oldest first, each version once: the one that `CLAW_NATS_SERVER` names, the one in
 * the path, and the newest one, which `giveNewestNats` has fetched.
 */
export function findNatsServers(env = process.env) {
  const folders = [...(env.PATH ?? "").split(delimiter).filter(Boolean), "/usr/sbin"];
  const installed = folders.map((folder) => join(folder, PACKAGE)).find((path) => existsSync(path));
  const paths = [env.CLAW_NATS_SERVER, installed, programIn(join(natsFolder(env), "newest"))];
  const servers = new Map();
  for (const path of paths) {
    const version = path && existsSync(path) ? versionOf(path) : undefined;
    if (version !== undefined && !servers.has(version)) servers.set(version, { path, version });
  }
  return [...servers.values()].toSorted((left, right) =>
    left.version.localeCompare(right.version, "en", { numeric: true }),
  );
}

/** The one-line sources and stanzas of this release, with the suite's name changed. Security, updates and others are left out. */
function withSuite(text, suites) {
  const lines = text
    .split("\n")
    .map((line) => /^(deb\s+(?:\[[^\]]*\]\s+)?\S+\s+)(\S+)(\s.*)$/.exec(line))
    .flatMap((parts) => (parts && suites.includes(parts[2]) ? [`${parts[1]}${NEWEST_SUITE}${parts[3]}`] : []));
  const stanzas = text
    .split(/\n\s*\n/)
    .filter((stanza) => !/^Enabled:\s*no/im.test(stanza) && /^Types:.*\bdeb\b/im.test(stanza))
    .filter((stanza) =>
      /^Suites:(.*)$/im
        .exec(stanza)?.[1]
        .split(/\s+/)
        .some((suite) => suites.includes(suite)),
    )
    .map((stanza) => stanza.replace(/^Suites:.*$/im, `Suites: ${NEWEST_SUITE}`));
  return { lines, stanzas };
}

/** The machine's own Debian sources, as the texts of the two kinds of files that apt reads. */
export function newestSources(texts, codename) {
  const found = texts.map((text) => withSuite(text, [codename, ...MOVING_SUITES]));
  return {
    list: found.flatMap(({ lines }) => lines).join("\n"),
    sources: found.flatMap(({ stanzas }) => stanzas).join("\n\n"),
  };
}

function readSources(folder) {
  const parts = join(folder, "sources.list.d");
  const names = existsSync(parts) ? readdirSync(parts).filter((name) => /\.(list|sources)$/.test(name)) : [];
  const paths = [join(folder, "sources.list"), ...names.map((name) => join(parts, name))];
  return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8"));
}

/** The name of the machine's release; nothing on a system that is not Debian. */
function codenameOf(osRelease) {
  const text = existsSync(osRelease) ? readFileSync(osRelease, "utf8") : "";
  const field = (name) => new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(text)?.[1];
  return field("ID") === "debian" ? (field("VERSION_CODENAME") ?? "") : undefined;
}

/** Runs apt with state, cache and sources of its own, so that nothing of the machine's own apt changes. */
function apt(folder, ...args) {
  const options = {
    "Dir::State": join(folder, "state"),
    "Dir::State::status": join(folder, "status"),
    "Dir::Cache": join(folder, "cache"),
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": join(folder, "sources.list.d"),
    "Acquire::Languages": "none",
    "Acquire::Retries": "2",
    ...(process.getuid?.() === 0 ? { "APT::Sandbox::User": "root" } : {}),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const { status, stderr, error } = spawnSync("apt-get", [...flags, "-qq", ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 10 * 60_000,
    env: { ...process.env, LC_ALL: "C" },
  });
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed: ${(stderr || error?.message || "").trim()}`);
}

function fetchInto(folder, { list, sources }) {
  for (const name of ["state/lists/partial", "cache/archives/partial", "sources.list.d"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "status"), "");
  writeFileSync(join(folder, "sources.list"), `${list}\n`);
  if (sources !== "") writeFileSync(join(folder, "sources.list.d", "debian.sources"), `${sources}\n`);
  apt(folder, "update");
  apt(folder, "download", PACKAGE);
  const file = readdirSync(folder).find((name) => name.endsWith(".deb"));
  const unpacked = join(folder, "unpacked");
  const { status, stderr } = spawnSync("dpkg-deb", ["-x", join(folder, file), unpacked], { encoding: "utf8" });
  if (status !== 0) throw new Error(`dpkg-deb -x failed: ${stderr}`);
  if (versionOf(programIn(unpacked)) === undefined) throw new Error(`the ${PACKAGE} of ${file} does not run here`);
  return unpacked;
}

/**
 * Path of the newest server that Debian has. Fetches and unpacks its package the first time, from the machine's own
 * package source. Throws an error that says why it cannot be had.
 */
export function giveNewestNats({ cache = natsFolder(), etc = "/etc/apt", osRelease = "/etc/os-release" } = {}) {
  const kept = join(cache, "newest");
  if (existsSync(programIn(kept))) return programIn(kept);
  const codename = codenameOf(osRelease);
  if (codename === undefined) throw new Error("this system is not Debian");
  const found = newestSources(readSources(etc), codename);
  if (found.list === "" && found.sources === "") throw new Error(`no package source of Debian in ${etc}`);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fetching-"));
  try {
    const unpacked = fetchInto(fresh, found);
    chmodSync(unpacked, 0o755);
    rmSync(kept, { recursive: true, force: true });
    renameSync(unpacked, kept);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return programIn(kept);
}

/** Fetches the newest server unless it is there, and says which servers the tests use and why one is missing. */
export function prepareNats(env = process.env) {
  let missing = "";
  try {
    giveNewestNats({ cache: natsFolder(env) });
  } catch (error) {
    missing = `; no newer one: ${error.message}`;
  }
  const servers = findNatsServers(env).map(({ version, path }) => `${version} (${path})`);
  return `nats-server for the tests: ${servers.join(", ") || "none"}${missing}`;
}
