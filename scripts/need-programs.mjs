import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that tests use and npm does not bring, by any of their names, and their Debian packages. */
const NEEDED = [
  { names: ["git"], debian: "git" },
  { names: ["bwrap"], debian: "bubblewrap" },
  { names: ["tmux"], debian: "tmux" },
  { names: ["zsh"], debian: "zsh" },
  { names: ["fish"], debian: "fish" },
  { names: ["python3"], debian: "python3" },
  { names: ["strace"], debian: "strace" },
  { names: ["nats-server"], debian: "nats-server" },
  { names: ["ip"], debian: "iproute2" },
  { names: ["chromium", "chromium-browser", "google-chrome", "chrome"], debian: "chromium" },
];

/** What Claude Code's sandbox needs besides, which only tests with the real program use. */
export const FOR_REAL_CLIS = [{ names: ["socat"], debian: "socat" }];

const QUIET = { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };

// Debian puts servers into a folder that not every user has in the path.
const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
const isThere = (name) => folders.some((folder) => existsSync(join(folder, name)));
const run = (file, ...args) => spawnSync(file, args, QUIET).status === 0;

/** `CHROME_PATH` names a browser that is not in the path. */
const isMissing = ({ names, debian }) =>
  !names.some(isThere) && !(debian === "chromium" && process.env.CHROME_PATH !== undefined);

/**
 * Installs what a Debian lacks, where that is allowed; elsewhere names the command that does. Tests that need a missing
 * program fail and say why, or are skipped where only a part of the proof is lost.
 */
export function needPrograms(more = []) {
  const missing = [...NEEDED, ...more].filter(isMissing).map(({ debian }) => debian);
  if (process.platform !== "linux" || missing.length === 0 || !isThere("apt-get")) return;
  const command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing];
  if (process.getuid?.() !== 0) {
    console.error(`Tests need programs that are missing here. To install them: sudo ${command.join(" ")}`);
    return;
  }
  console.error(`Installing ${missing.join(", ")} …`);
  // The lists of packages may be missing or out of date.
  if (!run(...command) && run("apt-get", "update", "-qq")) run(...command);
}
