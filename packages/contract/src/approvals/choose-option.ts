import type { RequestOption } from "../events/worker-event.ts";

export type Choice =
  | { readonly kind: "chosen"; readonly chosen: string | null }
  | { readonly kind: "refused"; readonly reason: string }
  /** Several options, none of them the default, and none named. */
  | { readonly kind: "open"; readonly reason: string };

const idsOf = (options: readonly RequestOption[]): string => options.map(({ id }) => id).join(", ");

export interface ChoiceRequest {
  readonly kind: "BLOCKED" | "REQUEST";
  readonly options: readonly RequestOption[];
  readonly decision: "approve" | "reject";
  readonly chosen: string | undefined;
}

/** Which option an answer stands for: the one it names, else the default one, else the only one. */
export function chooseOption({ kind, options, decision, chosen }: ChoiceRequest): Choice {
  if (chosen !== undefined) {
    if (options.length === 0 || options.some(({ id }) => id === chosen)) return { kind: "chosen", chosen };
    return { kind: "refused", reason: `${JSON.stringify(chosen)} is not an option; there are: ${idsOf(options)}` };
  }
  if (decision === "reject" || kind === "BLOCKED" || options.length === 0) return { kind: "chosen", chosen: null };
  const meant = options.find((option) => option.default === true) ?? (options.length === 1 ? options[0] : undefined);
  if (meant !== undefined) return { kind: "chosen", chosen: meant.id };
  return { kind: "open", reason: `choose one of the options: ${idsOf(options)}` };
}
