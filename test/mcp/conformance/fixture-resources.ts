import type { JsonObject } from "claw-contract";
import { objectOf } from "claw-contract";
import type { PromptDefinition, ResourceTable } from "../../../packages/claw/src/mcp/layer/mcp-tables.ts";
import { elicitation, PNG } from "./fixture-tool.ts";

const RESOURCES = [
  { uri: "test://static-text", name: "static-text", description: "A text.", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", description: "A picture.", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched-resource", description: "A text to watch.", mimeType: "text/plain" },
] as const;

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const CONTENTS: Readonly<Record<string, JsonObject>> = {
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched." },
};

function contentOf(uri: string): JsonObject | undefined {
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) return CONTENTS[uri];
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { mimeType: "application/json", text: JSON.stringify(data) };
}

/** Resources that the suite reads and watches. */
export const FIXTURE_RESOURCES: ResourceTable = {
  list: () => Promise.resolve({ resources: RESOURCES }),
  templates: [
    {
      uriTemplate: "test://template/{id}/data",
      name: "template",
      description: "Data of an id.",
      mimeType: "application/json",
    },
  ],
  read: (uri) => {
    const content = contentOf(uri);
    return Promise.resolve(content === undefined ? undefined : [{ uri, ...content }]);
  },
  watch: () => () => undefined,
};

const user = (content: JsonObject): JsonObject => ({ role: "user", content });
const said = (text: string): JsonObject => user({ type: "text", text });

const argument = (name: string) => ({ name, description: `The argument ${name}.`, required: true });

/** A prompt that answers with messages at once. */
const prompt = (
  name: string,
  names: readonly string[],
  make: (values: Readonly<Record<string, string>>) => JsonObject[],
): PromptDefinition => ({
  name,
  title: name,
  description: `The prompt ${name} of the conformance suite.`,
  arguments: names.map(argument),
  make: (values) => Promise.resolve(make(values)),
});

/** A prompt that asks before it answers. */
const ASKING_PROMPT: PromptDefinition = {
  ...prompt("test_input_required_result_prompt", [], () => []),
  make: (_values, { inputResponses }) => {
    const { content } = objectOf(inputResponses?.["user_context"]);
    const given = objectOf(content)["context"];
    if (given !== undefined) return Promise.resolve([said(`In the context of ${String(given)}.`)]);
    const ask = elicitation("What context should the prompt use?", "context");
    return Promise.resolve({ kind: "input-required", inputRequests: { user_context: ask } });
  },
};

export const FIXTURE_PROMPTS: readonly PromptDefinition[] = [
  prompt("test_simple_prompt", [], () => [said("This is a simple prompt for testing.")]),
  prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
    said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri: uri }) => [
    user({
      type: "resource",
      resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
    }),
    said("Please process the embedded resource above."),
  ]),
  ASKING_PROMPT,
  prompt("test_prompt_with_image", [], () => [
    user({ type: "image", data: PNG, mimeType: "image/png" }),
    said("Please analyze the image above."),
  ]),
];
