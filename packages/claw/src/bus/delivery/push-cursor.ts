const TAIL = /"cursor":"(\d{4}:(\d{1,15}))"\}$/;

/** Where a pushed message stands in the log; undefined for any other frame. */
export function cursorOfPush(frame: string): { readonly cursor: string; readonly sequence: number } | undefined {
  if (!frame.startsWith('{"push":"message"')) return undefined;
  // The tail is short; a payload is not searched.
  const [, cursor, digits] = TAIL.exec(frame.slice(-40)) ?? [];
  return cursor === undefined ? undefined : { cursor, sequence: Number(digits) };
}
