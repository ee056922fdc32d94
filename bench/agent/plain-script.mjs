import Anthropic from "@anthropic-ai/sdk";

async function main([prompt, output]) {
  const client = new Anthropic({ maxRetries: 0 });
  const messages = [{ role: "user", content: prompt }];
  for (;;) {
    const stream = await client.messages.create({ model: "claude-opus-4-5", max_tokens: 1000, stream: true, messages });
    let call;
    let text = "";
    for await (const event of stream) {
      if (event.type === "content_block_start" && event.content_block.type === "tool_use") call = event.content_block;
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    }
    if (call === undefined) return console.log(text);
    messages.push({ role: "assistant", content: [{ ...call, input: { path: "small.txt" } }] });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: output }] });
  }
}

void main(process.argv.slice(2));
