export const isoTime = (time: number | string): string => new Date(time).toISOString();
