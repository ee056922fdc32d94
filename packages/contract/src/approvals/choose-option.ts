import type { RequestOption } from "../events/worker-event.ts";

export type Choice =
  | { readonly kind: "chosen"; readonly chosen: string | null }
  | { readonly kind: "refused"; readonly reason: string };

const idsOf = (options: readonly RequestOption[]): string => options.map(({ id }) => id).join(", ");

export interface ChoiceRequest {
  readonly kind: "BLOCKED" | "REQUEST";
  readonly options: readonly RequestOption[];
  readonly decision: "approve" | "reject";
  readonly chosen: string | undefined;
}

/** Which option an answer stands for. A request with options is approved by choosing one; the only one is chosen by itself. */
export function chooseOption({ kind, options, decision, chosen }: ChoiceRequest): Choice {
  if (chosen !== undefined) {
    if (options.length === 0 || options.some(({ id }) => id === chosen)) return { kind: "chosen", chosen };
    return { kind: "refused", reason: `${JSON.stringify(chosen)} is not an option; there are: ${idsOf(options)}` };
  }
  if (decision === "reject" || kind === "BLOCKED" || options.length === 0) return { kind: "chosen", chosen: null };
  const [only, ...others] = options;
  if (only !== undefined && others.length === 0) return { kind: "chosen", chosen: only.id };
  return { kind: "refused", reason: `an option has to be chosen: ${idsOf(options)}` };
}
