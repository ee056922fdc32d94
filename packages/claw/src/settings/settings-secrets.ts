import type { Settings } from "claw-contract";
import { isSecretName } from "claw-contract";

/** A header's value is often a scheme and the secret. */
const partsOf = (value: string): string[] => [value, ...(/^\w+ (\S+)$/.exec(value)?.slice(1) ?? [])];

function secretMembers(tree: unknown): string[] {
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" ? (isSecretName(name) ? partsOf(value) : []) : secretMembers(value),
  );
}

/** Values of settings whose names mark a secret, at any depth. Claw masks these values in all output. */
export const settingsSecrets = (settings: Settings): string[] => [...new Set(secretMembers(settings))];
