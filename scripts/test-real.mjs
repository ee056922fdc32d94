import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FOR_REAL_CLIS, needPrograms } from "./need-programs.mjs";
import { cacheFolder, chooseClis, installAll } from "./real/install.mjs";
import { recordVersions } from "./real/record-versions.mjs";
import { setUp } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Tries the newest versions that there are, instead of the pinned ones. */
const newest = process.argv.includes("--newest");
const filters = process.argv.slice(2).filter((argument) => argument !== "--newest");

await setUp();
needPrograms(FOR_REAL_CLIS);
const clis = chooseClis({ newest });
const programs = installAll(clis);
const work = join(cacheFolder(), "work");
mkdirSync(work, { recursive: true });
const { status } = spawnSync(join(root, "node_modules/.bin/vitest"), ["run", "--project", "real", ...filters], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
  env: {
    ...process.env,
    CLAW_REAL_CLAUDE: programs.claude,
    CLAW_REAL_CODEX: programs.codex,
    CLAW_REAL_GEMINI: programs.gemini,
    CLAW_REAL_OPENCODE: programs.opencode,
    CLAW_REAL_WORK: work,
    ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
  },
});
// Only a whole run says something about the versions.
if (status === 0 && filters.length === 0) recordVersions(clis, new Date().toISOString().slice(0, 10));
process.exit(status ?? 1);
