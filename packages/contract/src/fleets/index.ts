export * from "./check-fleet.ts";
export * from "./check-fleet.ts";
export * from "./fleet-progress.ts";
