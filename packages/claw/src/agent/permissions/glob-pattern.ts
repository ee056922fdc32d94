/** A test for paths. Takes time in proportion to the pattern and the path, whatever they are. */
export interface GlobPattern {
  test(path: string): boolean;
}

const BRACES = /\{([^{}]*)\}/;
/** More alternatives than this are not spelled out; the rest of the braces stand for themselves. */
const MAX_SPELLINGS = 64;

/** Whether a text is a pattern rather than one path. */
export const isGlob = (text: string): boolean => /[*?{]/.test(text);

function spellings(glob: string): string[] {
  let known = [glob];
  for (;;) {
    const next = known.flatMap((text) => {
      const match = BRACES.exec(text);
      if (match === null) return [text];
      const [whole, inner = ""] = match;
      const [before, after] = [text.slice(0, match.index), text.slice(match.index + whole.length)];
      return inner.split(",").map((choice) => before + choice + after);
    });
    if (next.length === known.length && next.every((text, index) => text === known[index])) return known;
    if (next.length > MAX_SPELLINGS) return known;
    known = next;
  }
}

/** Whether a name fits, with `*` and `?`. Goes back to the last star only, which is enough. */
function nameFits(name: string, pattern: string): boolean {
  let [at, next, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[next] === "*") {
      star = next;
      from = at;
      next += 1;
    } else if (pattern[next] === "?" || pattern[next] === name[at]) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      from += 1;
      at = from;
      next = star + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(next));
}

/** Whether the parts of a path fit those of a pattern, `**` being any number of them. */
function partsFit(parts: readonly string[], pattern: readonly string[]): boolean {
  let reached = parts.map(() => false).concat(false);
  reached[0] = true;
  for (const wanted of pattern) {
    const isAny = wanted === "**";
    const now = reached.map(() => false);
    for (let at = 0; at <= parts.length; at += 1) {
      const stays = isAny && (reached[at] === true || (at > 0 && now[at - 1] === true));
      const steps = !isAny && at > 0 && reached[at - 1] === true && nameFits(parts[at - 1] ?? "", wanted);
      now[at] = stays || steps;
    }
    reached = now;
  }
  return reached[parts.length] === true;
}

/** `*` and `?` stay within a name, `**` as a name is any number of folders, `{a,b}` is one of them. */
export function globPattern(glob: string): GlobPattern {
  const patterns = spellings(glob).map((text) => text.split("/"));
  return {
    test: (path) => {
      const parts = path.split("/");
      return patterns.some((pattern) => partsFit(parts, pattern));
    },
  };
}
