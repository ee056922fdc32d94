import { isSecretName } from "./secret-name.ts";

/** Values of environment variables whose names say that they are secret. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && isSecretName(name) ? [value] : []));
}
