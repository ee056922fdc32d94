import type { VerbSpec } from "claw-contract";
import { ClawError } from "claw-contract";

/** Platforms on which every verb works. On others, what would start and then misbehave is refused. */
const WHOLE = new Set<NodeJS.Platform>(["linux", "darwin"]);

export const isWholePlatform = (platform: NodeJS.Platform): boolean => WHOLE.has(platform);

/** Throws PLATFORM_UNSUPPORTED for a verb that this platform cannot serve. */
export function requirePlatform(
  { name, unixOnly }: Pick<VerbSpec, "name" | "unixOnly">,
  platform: NodeJS.Platform = process.platform,
): void {
  if (!unixOnly || isWholePlatform(platform)) return;
  throw new ClawError(
    "PLATFORM_UNSUPPORTED",
    `claw ${name} needs Linux or macOS, and this is ${platform}: claw needs unix sockets, process groups and terminals for it`,
    { operation: "check_platform", target: name },
  );
}
