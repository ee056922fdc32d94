const ESCAPED = /[.*+?^${}()|[\]\\]/g;

/** `*` stands for any text; so does `.*`, which people write who take a matcher for a regular expression. */
function patternOf(name: string): RegExp {
  const parts = name.replaceAll(".*", "*").split(/\*+/);
  return new RegExp(`^${parts.map((part) => part.replaceAll(ESCAPED, String.raw`\$&`)).join(".*")}$`, "is");
}

/** Whether a matcher, a list of names with commas or bars between them, means a tool that goes by any of `names`. */
export function matchesTool(matcher: string, names: readonly string[]): boolean {
  const wanted = matcher.split(/[,|]/).map((name) => name.trim());
  if (wanted.every((name) => name === "")) return true;
  return wanted.some((name) => name !== "" && names.some((candidate) => patternOf(name).test(candidate)));
}
