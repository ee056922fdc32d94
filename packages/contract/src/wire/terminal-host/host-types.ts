import type * as z from "zod";
import type { HOST_OPERATIONS, HOST_PUSH } from "./host-operations.ts";

type Operations = typeof HOST_OPERATIONS;

/** The `cmd` of a request to the terminal host. */
export type HostOperation = keyof Operations;

/** Fields that a client of the terminal host sends. */
export type HostRequest<Name extends HostOperation> = Readonly<z.input<Operations[Name]["request"]>>;

/** Fields of a request as the host's handler gets them. */
export type ReadHostRequest<Name extends HostOperation> = Readonly<z.output<Operations[Name]["request"]>>;

/** Fields of the host's reply, besides `rid` and `ok`. */
export type HostReply<Name extends HostOperation> = Readonly<z.output<Operations[Name]["reply"]>>;

/** A frame that the host sends without a request. */
export type HostPush = Readonly<z.output<typeof HOST_PUSH>>;
