export * from "./command-deadlines.ts";
export * from "./command-ladder.ts";
export * from "./command-deadlines.ts";
