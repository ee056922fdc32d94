export interface RealCli {
  readonly package: string;
  readonly version: string;
  readonly program: string;
}

/** The CLIs to be tried, by name: at their pinned versions, or at the newest there are. */
export function chooseClis(options: { readonly newest: boolean }): Readonly<Record<"claude" | "codex", RealCli>>;

/** Makes sure that each of these CLIs is there. Returns their paths by name. */
export function installAll<Name extends string>(
  clis: Readonly<Record<Name, RealCli>>,
  cache?: string,
): Record<Name, string>;
