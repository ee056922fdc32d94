import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourceIndexes } from "./generate/sources.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function write(files: Map<string, string>): void {
  for (const [path, text] of files) {
    const file = join(root, path);
    let current = "";
    try {
      current = readFileSync(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    if (current === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}

write(sourceIndexes(root));
const { derivedFiles } = await import("./generate/derived-files.ts");
write(derivedFiles());
