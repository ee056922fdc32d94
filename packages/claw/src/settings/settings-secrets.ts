import type { Settings } from "@claw/contract";
import { isSecretName } from "@claw/contract";

/** A header's value is often a scheme and the secret. */
const partsOf = (value: string): string[] => [value, ...(/^\w+ (\S+)$/.exec(value)?.slice(1) ?? [])];

function secretMembers(tree: unknown): string[] {
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" ? (isSecretName(name) ? partsOf(value) : []) : secretMembers(value),
  );
}

/** Values of settings that are secret by their names, wherever they stand, so that they can be masked everywhere. */
export const settingsSecrets = (settings: Settings): string[] => [...new Set(secretMembers(settings))];
