import { setImmediate } from "node:timers/promises";
import type { ToolDefinition } from "../../../packages/claw/src/mcp/layer/tool.ts";
import { content, fixtureTool, PNG, text, WAV } from "./fixture-tool.ts";

const resource = (uri: string, mimeType: string, said: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: said },
});

/** Tools with each kind of content, with progress, with a log, and with an error. */
export const CONTENT_TOOLS: readonly ToolDefinition[] = [
  fixtureTool("test_simple_text", () => text("This is a simple text response for testing.")),
  fixtureTool("test_image_content", () => content({ type: "image", data: PNG, mimeType: "image/png" })),
  fixtureTool("test_audio_content", () => content({ type: "audio", data: WAV, mimeType: "audio/wav" })),
  fixtureTool("test_embedded_resource", () =>
    content(resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
  ),
  fixtureTool("test_multiple_content_types", () =>
    content(
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PNG, mimeType: "image/png" },
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ),
  ),
  fixtureTool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  fixtureTool("test_tool_with_progress", async (_input, { progress }) => {
    for (const done of [0, 50, 100]) {
      await progress?.({ progress: done, total: 100 });
      await setImmediate();
    }
    return text("Progress was reported.");
  }),
  fixtureTool("test_tool_with_logging", async (_input, { sdk }) => {
    for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await sdk.context.mcpReq.log("info", said);
    }
    return text("The log was written.");
  }),
  // Writes a log that a client gets only when the client asked for one.
  fixtureTool("test_logging_tool", async (_input, { sdk }) => {
    await sdk.context.mcpReq.log("info", "A line of the log");
    return text("The log was written.");
  }),
  // Closes its stream before it answers: the client has to come back for the answer.
  fixtureTool("test_reconnection", async (_input, { sdk }) => {
    sdk.context.http?.closeSSE?.();
    await setImmediate();
    return text("The client came back.");
  }),
  fixtureTool("test_streaming_elicitation", async (_input, { progress }) => {
    await progress?.({ progress: 1 });
    return text("Nothing was asked on the stream.");
  }),
];
