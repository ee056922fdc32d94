import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The names that links give to the headings of a page of Markdown. */
function sectionsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)];
  return new Set(
    headings.map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Those of the hints `page#section` whose page is not in the folder, or has no such section. */
export const missingSections = (folder: string, hints: readonly string[]): string[] =>
  hints.filter((hint) => {
    const [page = "", section = ""] = hint.split("#");
    const path = join(folder, page);
    return !existsSync(path) || !sectionsOf(readFileSync(path, "utf8")).has(section);
  });
