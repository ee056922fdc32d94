import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

export const handlePublish: ToolHandler<"claws_publish"> = async ({ topic, payload = {} }, { ports }) => {
  const { data } = await callVerb("publish", { topic, payload: JSON.stringify(payload) }, ports);
  return {
    data: { topic: data.topic, sequence: data.sequence, cursor: data.cursor, deliveredTo: data.delivered_to },
  };
};
