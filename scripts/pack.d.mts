export function pack(out: string): Promise<string[]>;
