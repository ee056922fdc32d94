export type { Backstage, ProcessEnding } from "./stage.ts";

/** The built-in scenarios of the fake agent. Does not load the fake agent itself. */
export const loadBuiltInScenarios = async () => (await import("./built-in-scenarios.ts")).BUILT_IN_SCENARIOS;

/** The fake agent, loaded only by the process that plays one. */
export const loadFakeAgent = () => import("./play-fake-agent.ts");
