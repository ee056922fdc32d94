export * from "./amounts.ts";
export * from "./budget-state.ts";
export * from "./can-measure.ts";
export * from "./ledger.ts";
export * from "./amounts.ts";
