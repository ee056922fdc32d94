/** One setting of git: section, name of the subsection and key joined by dots; section and key in small letters. */
export interface GitSetting {
  readonly name: string;
  readonly value: string;
}

const HEADER = /^\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\]/;
const VARIABLE = /^([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*(.*))?$/s;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** A value without its quotes, escapes and comment. */
function readValue(text: string): string {
  let [value, bare, isQuoted] = ["", 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else if (char === "\\") {
      at += 1;
      value += ESCAPES[text[at] ?? ""] ?? text[at] ?? "";
    } else value += char;
    // Blanks at the end count only in quotes.
    if (isQuoted || !/\s/.test(char)) bare = value.length;
  }
  return value.slice(0, bare);
}

/** The settings in a settings file of git, in order. Lines that make no sense are skipped. Never throws. */
export function readGitConfig(text: string): GitSetting[] {
  let section = "";
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\\\r?\n/g, "")
    .split(/\r?\n/);
  return lines.flatMap((line) => {
    const trimmed = line.trim();
    const header = HEADER.exec(trimmed);
    if (header !== null) {
      const [, name = "", sub] = header;
      section = name.toLowerCase() + (sub === undefined ? "" : `.${sub.replaceAll(/\\(.)/g, "$1")}`);
    }
    const variable = VARIABLE.exec(trimmed.slice(header?.[0].length ?? 0).trim());
    if (variable === null || section === "") return [];
    return [{ name: `${section}.${variable[1]?.toLowerCase()}`, value: readValue(variable[2] ?? "true") }];
  });
}
