import { spawnSync } from "node:child_process";

/** Programs that tests use and npm does not bring, how they tell that they are there, and their Debian packages. */
const NEEDED = [
  { argv: ["bwrap", "--version"], debian: "bubblewrap" },
  { argv: ["tmux", "-V"], debian: "tmux" },
  { argv: ["zsh", "--version"], debian: "zsh" },
  { argv: ["python3", "--version"], debian: "python3" },
];

const QUIET = { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };

const isThere = ([file, ...args]) => spawnSync(file, args, { stdio: "ignore" }).status === 0;
const run = (file, ...args) => spawnSync(file, args, QUIET).status === 0;

/**
 * Installs what a Debian lacks, where that is allowed. Tests that need it fail without it, and say why, so nothing is
 * reported here.
 */
export function needPrograms() {
  const missing = NEEDED.filter(({ argv }) => !isThere(argv)).map(({ debian }) => debian);
  if (process.platform !== "linux" || process.getuid?.() !== 0 || missing.length === 0) return;
  const install = () => run("apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing);
  if (!isThere(["apt-get", "--version"])) return;
  console.error(`Installing ${missing.join(", ")} …`);
  // The lists of packages may be missing or out of date.
  if (!install() && run("apt-get", "update", "-qq")) install();
}
