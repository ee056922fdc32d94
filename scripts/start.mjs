import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setUp } from "./setup.mjs";

const entry = fileURLToPath(new URL("../packages/claw/bin/claw.cjs", import.meta.url));

await setUp({ toRun: true });
const { status } = spawnSync(process.execPath, [entry, "demo", ...process.argv.slice(2)], { stdio: "inherit" });
console.log("\nIn this folder, claw runs as: npx claw");
process.exit(status ?? 1);
