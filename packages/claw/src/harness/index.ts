export { createRunReader } from "./create-run-reader.ts";
export { HARNESSES } from "./harness-table.ts";
