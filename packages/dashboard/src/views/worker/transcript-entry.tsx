import type { TranscriptEntry, TranscriptItem } from "../../transcript/fold-transcript.ts";
import { inert, inertLine } from "../../text/inert.ts";

const NAMES: Readonly<Partial<Record<TranscriptItem["kind"], string>>> = {
  prompt: "prompt",
  question: "asks",
  answer: "answer",
  error: "error",
};

/** A tool: one line, and behind it the whole call, its result, and what a sub-agent did. */
function Tool({ entry }: { readonly entry: TranscriptEntry }) {
  const { item, result, inside } = entry;
  const isLong = item.text.includes("\n") || item.text.length > 120;
  return (
    <details class="tool">
      <summary>
        <code>{inertLine(item.text, 160)}</code>
        {result === null && <span class="faint"> …</span>}
        {inside.length > 0 && <span class="faint"> sub-agent, {inside.length} steps</span>}
      </summary>
      {isLong && <pre class="output">{inert(item.text)}</pre>}
      {inside.length > 0 && (
        <div class="inside">
          {inside.map((each) => (
            <Entry key={each.item.position} entry={each} />
          ))}
        </div>
      )}
      {result !== null && <pre class="output">{result.text === "" ? "(no output)" : inert(result.text)}</pre>}
    </details>
  );
}

/** One thing that the agent said or did. Its text is text: no markup, no links. */
export function Entry({ entry }: { readonly entry: TranscriptEntry }) {
  const { item } = entry;
  if (item.kind === "tool") return <Tool entry={entry} />;
  const name = NAMES[item.kind];
  return (
    <div class={`said said-${item.kind}`}>
      {name !== undefined && <span class="said-name">{name}</span>}
      <p>{inert(item.text)}</p>
      {item.cut === true && <span class="faint">cut here</span>}
    </div>
  );
}
