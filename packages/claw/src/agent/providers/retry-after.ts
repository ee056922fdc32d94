/** Pause that a provider asks for, in milliseconds, from `retry-after-ms` or from `retry-after` in either form. */
export function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, Math.ceil(exact));
  const given = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1000);
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
