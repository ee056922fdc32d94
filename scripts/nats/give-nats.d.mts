export interface NatsServer {
  readonly path: string;
  /** Such as `2.9.10`. */
  readonly version: string;
}
export function natsFolder(env?: NodeJS.ProcessEnv): string;
export function findNatsServers(env?: NodeJS.ProcessEnv): readonly NatsServer[];
export function newestSources(
  texts: readonly string[],
  codename: string,
): { readonly list: string; readonly sources: string };
export function giveNewestNats(options?: {
  readonly cache?: string;
  readonly etc?: string;
  readonly osRelease?: string;
}): string;
export function prepareNats(env?: NodeJS.ProcessEnv): string;
