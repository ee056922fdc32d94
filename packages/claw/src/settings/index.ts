export { earlySettings } from "./early-settings.ts";
export type { LoadedSettings, SettingsFile } from "./load-settings.ts";
export { loadSettings } from "./load-settings.ts";
export { loadPrices, pricesOf } from "./load-prices.ts";
export { configHome } from "./settings-files.ts";
export { SETTINGS_SECTIONS } from "./settings-rules.ts";
export { settingsSecrets } from "./settings-secrets.ts";
