import type { TurnEvent } from "../../../agent/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { duration } from "../../text/times.ts";

const TICK_MS = 250;
const MAX_INPUT = 200;

/** The activity of a turn in a few words; undefined when an event does not change the activity. */
export function turnActivityOf(event: TurnEvent): string | undefined {
  switch (event.kind) {
    case "model":
      if (event.event.kind === "retry") return `waiting to ask again (${event.event.reason})`;
      return event.event.kind === "thinking" ? "thinking" : "answering";
    case "tool-started":
      return `${event.name} ${JSON.stringify(event.input)?.slice(0, MAX_INPUT) ?? ""}`;
    case "tool-progress":
      return event.text;
    case "tool-result":
      return "asking the model";
    case "compacting":
      return "summarising the conversation";
    case "compacted":
      return "asking the model";
    case "assistant":
    case "denied":
    case "notice":
      return undefined;
  }
}

/** Keeps a status line about the turn on the terminal while a person watches, and announces notices. */
export function showActivity({ live, announce }: Ports): { show(event: TurnEvent): void; end(): void } {
  const startedAt = performance.now();
  let doing = "asking the model";
  const draw = (): void => live?.show(`${doing} · ${duration((performance.now() - startedAt) / 1000)}`);
  const timer = live === null ? undefined : setInterval(draw, TICK_MS);
  draw();
  return {
    show: (event) => {
      doing = turnActivityOf(event) ?? doing;
      if (event.kind === "notice") announce(event.text);
      if (event.kind === "compacted") announce(event.notice);
      draw();
    },
    end: () => {
      clearInterval(timer);
      live?.clear();
    },
  };
}
