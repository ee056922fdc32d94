import type { Redactor } from "claw-contract";
import { createRedactor, environmentSecrets } from "claw-contract";
import type { LoadedSettings } from "../../settings/index.ts";
import { settingsSecrets } from "../../settings/index.ts";
import type { Ports } from "../runtime/handle.ts";

/** Masks the secrets of the environment and those of the settings, which tools and servers may give away. */
export const runRedactor = ({ env }: Ports, { merged }: LoadedSettings): Redactor =>
  createRedactor({ secrets: [...environmentSecrets(env), ...settingsSecrets(merged)] });
