import { isAbsolute, join } from "node:path";
import type { Environment } from "claw-contract";

/**
 * Where `bin/claw.cjs` keeps compiled code: who can write there decides what claw runs. The same function as there,
 * which runs before any file of the bundle is loaded. Undefined where claw keeps none.
 */
export function codeCacheHome(env: Environment = process.env, platform = process.platform): string | undefined {
  const { XDG_CACHE_HOME: named = "", HOME: home = "" } = env;
  if (platform === "win32") return undefined;
  if (isAbsolute(named)) return join(named, "claw", "code");
  if (!isAbsolute(home)) return undefined;
  return join(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]), "claw", "code");
}
