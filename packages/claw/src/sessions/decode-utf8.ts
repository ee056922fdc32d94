import { isUtf8 } from "node:buffer";

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The text of bytes in UTF-8, without a byte order mark. Throws TypeError for other bytes. Makes no TextDecoder, whose
 * first use takes long: serves the rows of `cold-start`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new TypeError("the bytes are not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
