export type { Ask, LineCaller, OnReply } from "./line-caller.ts";
export { createAsk, createLineCaller } from "./line-caller.ts";
export type { LineAnswererOptions } from "./line-answerer.ts";
export { createLineAnswerer } from "./line-answerer.ts";
export type { LineFields, LineReply, LineRequest } from "./line-frame.ts";
export { isLineReply, isLineRequest, members, readFrameLine, errorOfRefusal, refusalFields } from "./line-frame.ts";
