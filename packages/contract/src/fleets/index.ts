export * from "./check-fleet.ts";
export * from "./fleet-limits.ts";
export * from "./fleet-progress.ts";
