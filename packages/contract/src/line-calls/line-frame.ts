/** The fields of one line of JSON. */
export type LineFields = Readonly<Record<string, unknown>>;

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
export function readFrameLine(line: string): LineFields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LineFields) : undefined;
  } catch {
    return undefined;
  }
}

export const isLineRequest = (frame: LineFields): frame is LineRequest =>
  typeof frame["id"] === "number" && typeof frame["cmd"] === "string";

export const isLineReply = (frame: LineFields): frame is LineReply =>
  typeof frame["rid"] === "number" && typeof frame["ok"] === "boolean";

/** JSON members of an object without its braces; undefined values are left out. */
export const members = (object: LineFields): string => JSON.stringify(object).slice(1, -1);
