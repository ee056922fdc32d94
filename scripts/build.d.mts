import type { Metafile } from "esbuild";

export function bundleProgram(): Promise<{ readonly metafiles: readonly Metafile[] }>;
