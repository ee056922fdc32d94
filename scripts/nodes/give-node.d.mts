export const NODE_VERSIONS: readonly string[];
export const OLDEST_NODE: string;
export const NEWEST_NODE: string;
export function nodesFolder(env?: NodeJS.ProcessEnv): string;
export function nodePackage(system?: { readonly platform: string; readonly arch: string }): string;
export function giveNode(version: string, cache?: string): string;
export function environmentOf(program: string, env?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
