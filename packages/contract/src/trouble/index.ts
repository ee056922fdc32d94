export * from "./reduce-trouble.ts";
export * from "./restart-notice.ts";
export * from "./trouble-record.ts";
