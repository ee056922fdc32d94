export type { Need, NeedKind } from "./needs-of.ts";
export { NEED_KINDS, needsOf } from "./needs-of.ts";
