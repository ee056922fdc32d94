import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended } from "../../packages/claw/src/process/testing/output-of.ts";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";

const TREE = fileURLToPath(new URL("../..", import.meta.url));

/** What a Dockerfile says about how its containers run. */
interface ImageSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly folder: string;
  readonly volumes: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

/** An image: its files, in a namespace of mounts that ends with the test. */
export interface Image extends ImageSettings {
  /** Runs a script where the image's files are mounted at `root`. Throws when the script fails. */
  readonly inside: (script: string, ...args: string[]) => string;
  readonly holder: number;
  readonly root: string;
}

function requireSuccess({ status, stderr, error }: ReturnType<typeof spawnSync>, what: string): void {
  if (status === 0) return;
  throw new Error(
    `${what} failed. This test makes namespaces and mounts in place of a container engine, which needs root and a kernel that allows them: ${error?.message ?? String(stderr).slice(-2000)}`,
  );
}

/** A process that keeps a namespace of mounts, in which `root` shows the files of this machine and takes changes. */
async function holdMounts(folder: string): Promise<{ holder: ChildProcessWithoutNullStreams; root: string }> {
  const script = `set -e
    mount -t tmpfs -o size=1g none "$0"
    mkdir "$0/changes" "$0/work" "$0/root"
    mount -t overlay -o lowerdir=/,upperdir="$0/changes",workdir="$0/work" none "$0/root"
    mount --bind "$0/root" "$0/root"
    mount --rbind /dev "$0/root/dev"
    mount -t proc none "$0/root/proc"
    mount -t tmpfs -o mode=1777 none "$0/root/tmp"
    rm -f "$0/root/usr/bin/bwrap" "$0/root/usr/local/bin/bwrap"
    echo ready; exec cat`;
  const holder = spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", script, folder]);
  let problem = "";
  holder.stderr.on("data", (chunk: Buffer) => (problem += chunk.toString()));
  const ready = once(holder.stdout, "data").then(() => true);
  const ended = once(holder, "close").then(() => false);
  if (!(await Promise.race([ready, ended]))) {
    requireSuccess({ status: 1, stderr: problem } as ReturnType<typeof spawnSync>, "unshare and mount");
  }
  return { holder, root: join(folder, "root") };
}

/** The steps of a Dockerfile, one line each. */
const stepsOf = (path: string): (readonly [word: string, rest: string])[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);

const list = (text: string): string[] => JSON.parse(text) as string[];

/** The tarball of the built program. */
function packProgram(folder: string): void {
  const args = ["pack", "--workspace", "packages/claw", "--pack-destination", folder];
  requireSuccess(spawnSync("npm", args, { cwd: TREE, encoding: "utf8" }), "npm pack");
  const name = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "none";
  requireSuccess(spawnSync("mv", [join(folder, name), join(folder, "claw-cli.tgz")]), "mv");
}

/** Carries out each step of a Dockerfile. The files of this machine, without bubblewrap, stand for those of its `FROM`. */
export async function buildImage(dockerfile: string, folder: string, onEnd: (end: () => void) => void): Promise<Image> {
  const [context, mounts] = [join(folder, "context"), join(folder, "mounts")];
  for (const path of [context, mounts]) mkdirSync(path, { recursive: true });
  packProgram(context);
  const { holder, root } = await holdMounts(mounts);
  onEnd(() => holder.kill("SIGKILL"));
  const inside = (script: string, ...args: string[]): string => {
    const argv = ["--target", String(holder.pid), "--mount", "sh", "-ec", script, root, ...args];
    const done = spawnSync("nsenter", argv, { encoding: "utf8" });
    requireSuccess(done, script);
    return done.stdout;
  };
  let settings: ImageSettings = { env: {}, user: "0:0", folder: "/", volumes: [], entrypoint: [], command: [] };
  const steps: Readonly<Record<string, (rest: string) => void>> = {
    FROM: () => undefined,
    COPY: (rest) => {
      const [from = "", to = ""] = rest.split(" ");
      inside('cp "$1" "$0$2"', join(context, from), to);
    },
    RUN: (rest) => void inside('chroot "$0" sh -ec "$1"', rest),
    ENV: (rest) => {
      const at = rest.indexOf("=");
      settings = { ...settings, env: { ...settings.env, [rest.slice(0, at)]: rest.slice(at + 1) } };
    },
    USER: (user) => (settings = { ...settings, user }),
    WORKDIR: (path) => (settings = { ...settings, folder: path }),
    VOLUME: (rest) => (settings = { ...settings, volumes: list(rest) }),
    ENTRYPOINT: (rest) => (settings = { ...settings, entrypoint: list(rest) }),
    CMD: (rest) => (settings = { ...settings, command: list(rest) }),
  };
  for (const [word, rest] of stepsOf(dockerfile)) {
    const step = steps[word];
    if (step === undefined) throw new Error(`the test knows no step ${word}`);
    step(rest);
  }
  return { ...settings, inside, holder: holder.pid as number, root };
}

/** What a container keeps when it ends, and its name on the network. */
export interface ContainerPlace {
  readonly volumes: string;
  readonly hostname: string;
}

export interface Container {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Process 1 of the container, by its number outside. */
  readonly first: () => number;
  /** Kills process 1, and thereby all. Resolves when the container has ended; does nothing when it had. */
  readonly kill: () => Promise<void>;
  /** Runs a command in the container as its user, and returns when the command has ended. */
  readonly exec: (...argv: string[]) => Ended;
}

/** The words that give up all rights and become the image's user, in a clean environment. */
function asUser({ user, env }: Image): string[] {
  const [uid = "", gid = ""] = user.split(":");
  const rights = ["--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
  const variables = Object.entries({ PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", ...env });
  const clean = ["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`)];
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, ...rights, "--", ...clean];
}

/** Mounts the volumes, makes all other files read-only, and becomes process 1. */
const START = `
  hostname "$1"; cd "$0"
  volumes=$2; folder=$3; shift 3
  while [ "$1" != -- ]; do mount --bind "$volumes$1" "$0$1"; shift; done
  shift
  mount -t tmpfs -o mode=1777 none "$0/tmp"
  mount -t proc none "$0/proc"
  mount -o remount,bind,ro "$0"
  exec chroot "$0" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`;

/** Runs a container as \`docker run --read-only --tmpfs /tmp --cap-drop ALL --network none\` would. */
export function runContainer(image: Image, place: ContainerPlace, argv: readonly string[] = image.command): Container {
  for (const volume of image.volumes) {
    mkdirSync(join(place.volumes, volume), { recursive: true });
    chownSync(join(place.volumes, volume), Number(image.user.split(":")[0]), Number(image.user.split(":")[1]));
  }
  const flags = ["--pid", "--fork", "--mount", "--uts", "--ipc", "--net"];
  const words = [...asUser(image), ...(argv[0] === "sh" ? [] : image.entrypoint), ...argv];
  const child = spawn("nsenter", [
    "--target",
    String(image.holder),
    "--mount",
    "unshare",
    ...flags,
    "sh",
    "-ec",
    START,
    image.root,
    place.hostname,
    place.volumes,
    image.folder,
    ...image.volumes,
    "--",
    ...words,
  ]);
  child.stdin.on("error", () => child.stdin.destroy());
  /** Zero while there is none. */
  const first = (): number => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim());
  const ended = outputOf(child);
  return {
    child,
    ended,
    first,
    kill: async () => {
      if (child.exitCode !== null) return;
      const pid = first();
      if (pid > 0) process.kill(pid, "SIGKILL");
      await ended;
    },
    exec: (...command) => {
      const target = ["--target", String(first()), "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd"];
      const done = spawnSync("nsenter", [...target, ...asUser(image), ...command], { encoding: "utf8" });
      return { exitCode: done.status, signal: done.signal, stdout: done.stdout, stderr: done.stderr };
    },
  };
}
