export { createJudge } from "./create-judge.ts";
export { hidesPaths, keptPlaces, namesAddresses } from "./denied-places.ts";
export { resolvePath } from "./resolve-path.ts";
export { readRules } from "./rules.ts";
