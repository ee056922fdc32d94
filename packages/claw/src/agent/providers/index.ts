export type { ProviderChoice } from "./choose-provider.ts";
export { chooseProvider } from "./choose-provider.ts";
export { openProvider } from "./open-provider.ts";
