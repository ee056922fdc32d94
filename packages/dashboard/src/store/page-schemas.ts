import type { EventSchemas } from "claw-client";

/**
 * Names the schemas of commands to workers, the only events that this page publishes. The bus checks each of them, so
 * the page does without the library of schemas, which weighs as much as half of the page.
 */
export const PAGE_SCHEMAS: EventSchemas = {
  nameOf: (topic) => {
    const [family, , action, more] = topic.split(".");
    const isCommand = family === "cmd" && action !== undefined && more === undefined;
    return isCommand ? `cmd-${action.replaceAll("_", "-")}-v1` : undefined;
  },
  problemsOf: () => [],
};
