import type { JsonObject } from "../json.ts";
import { parseObject } from "../json.ts";
/** The fields of one line of JSON. */
export type LineFields = JsonObject;

/** A request: `{"id":1,"cmd":"ping",…}`. */
export interface LineRequest {
  readonly id: number;
  readonly cmd: string;
  readonly [field: string]: unknown;
}

/** A reply: `{"rid":1,"ok":true,…}`. `rid` is the request's `id`. */
export interface LineReply {
  readonly rid: number;
  readonly ok: boolean;
  readonly [field: string]: unknown;
}

/** The request that gives up another request of the same caller. It has no reply. */
export const CANCEL = "cancel";

/** Reads a line. Undefined when the line is not a JSON object. Never throws. */
export const readFrameLine = (line: string): LineFields | undefined => parseObject(line);

export const isLineRequest = (frame: LineFields): frame is LineRequest =>
  typeof frame["id"] === "number" && typeof frame["cmd"] === "string";

export const isLineReply = (frame: LineFields): frame is LineReply =>
  typeof frame["rid"] === "number" && typeof frame["ok"] === "boolean";

/** JSON members of an object without its braces; undefined values are left out. */
export const members = (object: LineFields): string => JSON.stringify(object).slice(1, -1);
