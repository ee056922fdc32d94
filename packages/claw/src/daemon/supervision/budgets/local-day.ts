const two = (number: number): string => String(number).padStart(2, "0");

/** The date of a time where this process runs, as `2026-01-31`. */
export function localDay(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
