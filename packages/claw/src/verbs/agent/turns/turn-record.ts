import type { VerbOutput } from "claw-contract";
import { parseObject } from "claw-contract";
import type { TurnEvent } from "../../../agent/index.ts";

type Output = VerbOutput<"prompt">;

/** The calls, results and denials of a turn, gathered from events for the answer. */
export interface TurnRecord {
  readonly tool_uses: NonNullable<Output["tool_uses"]>;
  readonly tool_results: NonNullable<Output["tool_results"]>;
  readonly permission_denials: NonNullable<Output["permission_denials"]>;
}

/** A list that stands in the order of the calls its items are about, whichever of them came first. */
function createOrdered<T>(items: T[]): (item: T, place: number) => void {
  const places: number[] = [];
  return (item, place) => {
    const at = places.findLastIndex((other) => other <= place) + 1;
    places.splice(at, 0, place);
    items.splice(at, 0, item);
  };
}

/**
 * Gathers calls, and results and denials in the order of the calls. Calls and results of sub-agents are left out. A
 * denial of a sub-agent stands with the call that started the sub-agent.
 */
export function createTurnRecorder(): { readonly record: TurnRecord; add(event: TurnEvent): void } {
  const record: TurnRecord = { tool_uses: [], tool_results: [], permission_denials: [] };
  const order = new Map<string, number>();
  const addResult = createOrdered(record.tool_results);
  const addDenial = createOrdered(record.permission_denials);
  const placeOf = (id: string): number => order.get(id) ?? order.size;
  return {
    record,
    add: (event) => {
      if (event.kind === "denied") {
        addDenial(event.denial, placeOf(event.agent ?? event.denial.tool_use_id));
      } else if (event.agent !== undefined) {
        return;
      } else if (event.kind === "assistant") {
        for (const block of event.blocks) {
          if (block.type !== "tool_use") continue;
          const { id, name, input } = block;
          order.set(id, record.tool_uses.length);
          record.tool_uses.push({ id, name, input, input_json: parseObject(input) ?? null });
        }
      } else if (event.kind === "tool-result") {
        const { id, name, output, isError } = event;
        addResult({ tool_use_id: id, tool_name: name, output, is_error: isError }, placeOf(id));
      }
    },
  };
}
