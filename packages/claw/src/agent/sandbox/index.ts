export type { SandboxState } from "./probe-sandbox.ts";
export { prepareSandbox, probeSandbox } from "./probe-sandbox.ts";
