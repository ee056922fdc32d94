import type { RequestOption } from "../events/worker-event.ts";

export type OptionChoice =
  | { readonly kind: "chosen"; readonly chosen: string | null }
  | { readonly kind: "refused"; readonly reason: string }
  /** There are several options, no default, and the answer names none. */
  | { readonly kind: "open"; readonly reason: string };

const idsOf = (options: readonly RequestOption[]): string => options.map(({ id }) => id).join(", ");

export interface OptionRequest {
  readonly kind: "BLOCKED" | "REQUEST";
  readonly options: readonly RequestOption[];
  readonly decision: "approve" | "reject";
  readonly chosen: string | undefined;
}

/** Finds the option that an answer means: the named option, else the default option, else the only option. */
export function chooseOption({ kind, options, decision, chosen }: OptionRequest): OptionChoice {
  if (chosen !== undefined) {
    if (options.length === 0 || options.some(({ id }) => id === chosen)) return { kind: "chosen", chosen };
    return { kind: "refused", reason: `${JSON.stringify(chosen)} is not an option; there are: ${idsOf(options)}` };
  }
  if (decision === "reject" || kind === "BLOCKED" || options.length === 0) return { kind: "chosen", chosen: null };
  const meant = options.find((option) => option.default === true) ?? (options.length === 1 ? options[0] : undefined);
  if (meant !== undefined) return { kind: "chosen", chosen: meant.id };
  return { kind: "open", reason: `choose one of the options: ${idsOf(options)}` };
}
