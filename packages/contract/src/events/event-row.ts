import type * as z from "zod";

/** `envelope`: delivered inside the universal envelope. `bare`: the payload is the data itself. */
export type EventForm = "envelope" | "bare";

/** One registered event: topic, schema, form and purpose. */
export interface EventRow<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Address extends string = string,
  Form extends EventForm = EventForm,
> {
  /** The topic with its variable segments named, for example `worker.{peerId}.boot`. */
  readonly address: Address;
  /** The same topic as a subscription pattern: `worker.*.boot`. */
  readonly pattern: string;
  readonly name: Name;
  readonly schema: Schema;
  readonly form: Form;
  readonly summary: string;
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** Names of the variable segments of an address, in order. */
export const addressParameters = (address: string): string[] =>
  [...address.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "");

export const addressPattern = (address: string): string => address.replaceAll(PLACEHOLDER, "*");

const rowIn =
  <Form extends EventForm>(form: Form) =>
  <const Name extends string, Schema extends z.ZodType, const Address extends string>(
    row: Omit<EventRow<Name, Schema, Address>, "pattern" | "form">,
  ): EventRow<Name, Schema, Address, Form> => ({ ...row, form, pattern: addressPattern(row.address) });

/** The row of an event that is delivered inside the universal envelope. */
export const wrappedEvent = rowIn("envelope");

/** The row of an event whose payload is the data itself. */
export const bareEvent = rowIn("bare");
