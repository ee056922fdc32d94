import type { Metafile } from "esbuild";

export function bundlePage(): Promise<{ readonly metafile: Metafile }>;
