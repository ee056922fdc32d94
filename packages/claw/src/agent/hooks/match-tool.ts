import { fitsStars } from "claw-contract";

/** `*` stands for any text. `.*` does too, since some people write a matcher as a regular expression. */
const fits = (name: string, candidate: string): boolean =>
  fitsStars(name.replaceAll(".*", "*").toLowerCase(), candidate.toLowerCase());

/** Whether a matcher, a list of names with commas or bars between them, means a tool that goes by any of `names`. */
export function matchesTool(matcher: string, names: readonly string[]): boolean {
  const wanted = matcher.split(/[,|]/).map((name) => name.trim());
  if (wanted.every((name) => name === "")) return true;
  return wanted.some((name) => name !== "" && names.some((candidate) => fits(name, candidate)));
}
