import type { JsonObject } from "claw-contract";

/** Rights of a caller, as the bus knows them. */
export type CallerRole = "orchestrator" | "worker" | "observer";

/** The caller of tools: one stdio connection, or one token over HTTP. */
export interface Caller {
  /** Unguessable to other callers; the same for every call of one caller. Tasks and request states are bound to it. */
  readonly id: string;
  readonly role: CallerRole;
}

/** The eras of the protocol: up to 2025-11-25 a connection is initialised, since 2026-07-28 each request stands alone. */
export type Era = "legacy" | "modern";

/** Facts that a client states about its program and the protocol. */
export interface ClientFacts {
  /** Version of the protocol that the request is served in. */
  readonly version: string;
  readonly era: Era;
  /** Name and version of the client's program; null when the client named none. */
  readonly client: { readonly name: string; readonly version: string } | null;
  /** Modern: capabilities of this request. Legacy: capabilities of the connection. */
  readonly capabilities: JsonObject;
}
