export function fillNpmCache(): Promise<void>;
