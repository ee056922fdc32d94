import { handle } from "../runtime/handle.ts";
import { listDestinations } from "./list-destinations.ts";
import { routePrompt } from "./route-prompt.ts";

export const handler = handle("route", {
  run: async ({ prompt, limit }, ports) => {
    const matches = routePrompt(prompt, await listDestinations(ports), limit);
    return { prompt, limit, match_count: matches.length, matches };
  },
  show: ({ matches }) =>
    matches.length === 0
      ? "Nothing matches."
      : matches.map(({ kind, name, score, source_hint }) => [kind, name, score, source_hint].join("\t")).join("\n"),
});
