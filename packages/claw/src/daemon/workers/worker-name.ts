import { trimEndOf } from "claw-contract";

/** Words that do not describe a mission. */
const SMALL: ReadonlySet<string> = new Set(
  "a an and are as at be by do for from have in into is it its of on or please redacted so that the then this to up with you".split(
    " ",
  ),
);

const WORDS = 3;
const NAME_CHARS = 32;

/**
 * A readable name for a mission, or for the agent where the mission has no words. Pure: the same mission gives the same
 * name.
 */
export function nameFor(mission: string, harness: string): string {
  const [line = ""] = mission.trim().split("\n");
  const words = line.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !SMALL.has(word)).slice(0, WORDS);
  const name = trimEndOf(telling.join("-").slice(0, NAME_CHARS), "-");
  return name === "" || /^\d+$/.test(name) ? harness : name;
}

/** The name, or the name with the first number that makes it free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
