import type { Metafile } from "esbuild";

/** A package in the program's bundle, where it is installed. */
export interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string | undefined;
}

export function bundledPackages(metafiles: readonly Pick<Metafile, "outputs">[]): BundledPackage[];
