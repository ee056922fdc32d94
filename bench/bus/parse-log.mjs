import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Reads the files of a log and parses every line: the least that any replay costs. Prints seconds and lines.
const [folder = "", times = "1"] = process.argv.slice(2);
let lines = 0;
const startedAt = performance.now();
for (let round = 0; round < Number(times); round += 1) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".jsonl"))) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const line of text.split("\n")) {
      if (line !== "" && JSON.parse(line) !== null) lines += 1;
    }
  }
}
process.stdout.write(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000, lines }));
