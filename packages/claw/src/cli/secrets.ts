import { isSecretName } from "@claw/contract";

/** Values of environment variables whose names say that they are secret. */
export function environmentSecrets(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && isSecretName(name) ? [value] : []));
}
