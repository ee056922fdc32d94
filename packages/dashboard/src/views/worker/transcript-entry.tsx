import type { TranscriptEntry, TranscriptItem } from "../../transcript/fold-transcript.ts";
import { bareText } from "../../transcript/bare-text.ts";
import { countedText } from "../../text/amounts.ts";
import { MarkdownText } from "../../parts/markdown-text.tsx";
import { inert, inertLine } from "../../text/inert.ts";

const NAMES: Readonly<Partial<Record<TranscriptItem["kind"], string>>> = {
  prompt: "prompt",
  question: "asks",
  answer: "answer",
  error: "error",
};

/** A tool call in one line. It unfolds to the whole call, its result, and the calls of a sub-agent. */
function Tool({ entry }: { readonly entry: TranscriptEntry }) {
  const { item, result, inside } = entry;
  const text = bareText(item);
  const isLong = text.includes("\n") || text.length > 120;
  const isFailed = result?.kind === "error";
  return (
    <details class={`tool ${isFailed ? "tool-failed" : ""}`} open={isFailed}>
      <summary>
        <code>{inertLine(text, 160)}</code>
        {isFailed && (
          <>
            {" "}
            <span class="pill tone-bad">failed</span>
          </>
        )}
        {result === null && <span class="faint"> …</span>}
        {inside.length > 0 && <span class="faint"> sub-agent, {countedText(inside.length, "step")}</span>}
      </summary>
      {isLong && (
        <pre class="output" tabIndex={0}>
          {inert(text)}
        </pre>
      )}
      {inside.length > 0 && (
        <div class="inside">
          {inside.map((each) => (
            <Entry key={each.item.position} entry={each} />
          ))}
        </div>
      )}
      {result !== null && (
        <pre class="output" tabIndex={0}>
          {bareText(result) === "" ? "(no output)" : inert(bareText(result))}
        </pre>
      )}
    </details>
  );
}

/** One thing that the agent said or did. Its text is text: no markup, no links. Only a message has the layout of Markdown. */
export function Entry({ entry }: { readonly entry: TranscriptEntry }) {
  const { item } = entry;
  if (item.kind === "tool") return <Tool entry={entry} />;
  const name = NAMES[item.kind];
  return (
    <div class={`said said-${item.kind}`}>
      {name !== undefined && <span class="said-name">{name}</span>}
      {item.kind === "text" ? <MarkdownText text={bareText(item)} /> : <p>{inert(bareText(item))}</p>}
      {item.cut === true && <span class="faint">cut here</span>}
    </div>
  );
}
