let decoder: InstanceType<typeof TextDecoder> | undefined;

/**
 * The text of bytes in UTF-8. Throws TypeError for other bytes. The decoder is made at its first use, which takes long:
 * serves the rows of `cold-start`.
 */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  (decoder ??= new TextDecoder("utf-8", { fatal: true })).decode(bytes);
