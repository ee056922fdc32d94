const MINUTE = "2026-01-01T00:00:".length;
const FORM = "2026-01-01T00:00:00.000Z".length;

/**
 * Reads the server's times as milliseconds; 0 for a text that is no time. Events that follow each other are mostly of
 * the same minute, which is parsed once (bench bus, "server time for an event").
 */
function createTimeReader(): (iso: string) => number {
  let minute = "";
  let minuteMs = 0;
  return (iso) => {
    if (iso.length !== FORM) return Date.parse(iso) || 0;
    const head = iso.slice(0, MINUTE);
    if (head !== minute) {
      minute = head;
      minuteMs = Date.parse(`${head}00.000Z`);
    }
    return minuteMs + Math.round(Number(iso.slice(MINUTE, -1)) * 1000) || 0;
  };
}

/** Milliseconds at which an event was stored, read from the stored time: every reader gets the same value. */
export const storedAtMs = createTimeReader();
