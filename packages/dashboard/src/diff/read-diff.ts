/** One line of a changed file. Numbers count from 1; null where the side has no such line. */
export interface DiffLine {
  readonly kind: "add" | "del" | "same" | "note";
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

export interface DiffHunk {
  /** The text behind `@@ … @@`: mostly the function around the hunk. */
  readonly around: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  /** The earlier path of a file that was moved; null otherwise. */
  readonly from: string | null;
  readonly change: "added" | "deleted" | "changed" | "binary";
  readonly hunks: readonly DiffHunk[];
}

interface Open {
  path: string;
  from: string | null;
  change: DiffFile["change"];
  hunks: { around: string; lines: DiffLine[] }[];
  before: number;
  after: number;
  /** Lines that the open hunk still has on each side; headers are read only between hunks. */
  beforeLeft: number;
  afterLeft: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };

/** A path as git writes it: in quotes with escapes for bytes when it has unusual characters. */
export function readGitPath(written: string): string {
  if (!written.startsWith('"') || !written.endsWith('"') || written.length < 2) return written;
  const bytes: number[] = [];
  for (const [whole, octal, letter] of written.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(whole));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const stripSide = (path: string): string => path.replace(/^[ab]\//, "");

const blank = (line: string): Open => ({
  path: stripSide(readGitPath(line.slice(line.lastIndexOf(" b/") + 1))),
  from: null,
  change: "changed",
  hunks: [],
  before: 0,
  after: 0,
  beforeLeft: 0,
  afterLeft: 0,
});

const sidePath = (line: string): string => stripSide(readGitPath(line.slice("+++ ".length).replace(/\t$/, "")));

/** A line between the head of a file and its first hunk. */
function readHeader(open: Open, line: string): void {
  if (line.startsWith("new file")) open.change = "added";
  if (line.startsWith("deleted file")) open.change = "deleted";
  if (line.startsWith("Binary files") || line.startsWith("GIT binary")) open.change = "binary";
  if (line.startsWith("rename from ")) open.from = readGitPath(line.slice("rename from ".length));
  const isPath = line.startsWith(open.change === "deleted" ? "--- " : "+++ ");
  if (isPath && !line.endsWith(" /dev/null")) open.path = sidePath(line);
}

function beginHunk(open: Open, found: RegExpExecArray): void {
  const [, before = "0", beforeCount = "1", after = "0", afterCount = "1", around = ""] = found;
  Object.assign(open, {
    before: Number(before),
    after: Number(after),
    beforeLeft: Number(beforeCount),
    afterLeft: Number(afterCount),
  });
  open.hunks.push({ around, lines: [] });
}

function readLine(open: Open, line: string): void {
  const lines = open.hunks.at(-1)?.lines ?? [];
  const [sign, text] = [line[0], line.slice(1)];
  if (sign === "\\") return void lines.push({ kind: "note", text, before: null, after: null });
  const [isBefore, isAfter] = [sign !== "+", sign !== "-"];
  const kind = sign === "+" ? "add" : sign === "-" ? "del" : "same";
  lines.push({ kind, text, before: isBefore ? open.before : null, after: isAfter ? open.after : null });
  if (isBefore) Object.assign(open, { before: open.before + 1, beforeLeft: open.beforeLeft - 1 });
  if (isAfter) Object.assign(open, { after: open.after + 1, afterLeft: open.afterLeft - 1 });
  return undefined;
}

/** Reads what `git diff` prints. Any text is possible: what is no diff gives no files. */
export function readDiff(text: string): readonly DiffFile[] {
  const files: Open[] = [];
  for (const line of text.split("\n")) {
    const open = files.at(-1);
    const isInHunk = open !== undefined && (open.beforeLeft > 0 || open.afterLeft > 0);
    if (!isInHunk && line.startsWith("diff --git ")) files.push(blank(line));
    else if (open === undefined) continue;
    else if (isInHunk || (line.startsWith("\\") && open.hunks.length > 0)) readLine(open, line);
    else {
      const hunk = HUNK.exec(line);
      if (hunk === null) readHeader(open, line);
      else beginHunk(open, hunk);
    }
  }
  return files.map(({ path, from, change, hunks }) => ({ path, from, change, hunks }));
}
