/** What a `claw://` address names. */
export type ResourceName =
  | { readonly kind: "worker"; readonly id: string }
  | { readonly kind: "diff"; readonly id: string }
  | { readonly kind: "fleet"; readonly name: string }
  | { readonly kind: "approvals" }
  | { readonly kind: "log"; readonly from: string | null };

export const TEMPLATES = [
  {
    uriTemplate: "claw://workers/{id}",
    name: "worker",
    title: "A worker",
    description: "State, last changes, cost, worktree and children of a worker.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "claw://workers/{id}/diff",
    name: "diff",
    title: "A worker's changes",
    description: "The diff of a worker's worktree.",
    mimeType: "text/x-diff",
  },
  {
    uriTemplate: "claw://fleets/{name}",
    name: "fleet",
    title: "A fleet",
    description: "The workers of a fleet and what each is doing.",
    mimeType: "application/json",
  },
  {
    uriTemplate: "claw://log{?from}",
    name: "log",
    title: "The event log",
    description: "Events after a cursor, oldest first, with the cursor of the next part.",
    mimeType: "application/json",
  },
] as const;

const SCHEME = "claw:";

function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined || segment === "") return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function workerResource(id: string | undefined, rest: readonly string[]): ResourceName | undefined {
  if (id === undefined) return undefined;
  if (rest.length === 0) return { kind: "worker", id };
  return rest.length === 1 && rest[0] === "diff" ? { kind: "diff", id } : undefined;
}

/** Parses the address of a resource; undefined for an unknown address. */
export function readResourceUri(uri: string): ResourceName | undefined {
  const url = parsedUrl(uri);
  if (url?.protocol !== SCHEME) return undefined;
  const [first, ...rest] = url.pathname.split("/").slice(1);
  if (url.hostname === "workers") return workerResource(decoded(first), rest);
  if (url.hostname === "fleets" && rest.length === 0) {
    const name = decoded(first);
    return name === undefined ? undefined : { kind: "fleet", name };
  }
  if (first !== undefined && first !== "") return undefined;
  if (url.hostname === "approvals") return { kind: "approvals" };
  return url.hostname === "log" ? { kind: "log", from: url.searchParams.get("from") } : undefined;
}

/** The parts of an address; null when it is none. */
function parsedUrl(uri: string): URL | null {
  try {
    return new URL(uri);
  } catch {
    return null;
  }
}

export const workerUri = (id: string): string => `claw://workers/${encodeURIComponent(id)}`;
export const fleetUri = (name: string): string => `claw://fleets/${encodeURIComponent(name)}`;
