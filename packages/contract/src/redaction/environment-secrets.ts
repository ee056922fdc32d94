import { isSecretName } from "./secret-name.ts";

/** Values of the environment variables whose name marks a secret. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && isSecretName(name) ? [value] : []));
}
