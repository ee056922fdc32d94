import { useMemo } from "preact/hooks";
import { inert } from "../text/inert.ts";
import type { Span } from "../transcript/read-inline.ts";
import { readInline } from "../transcript/read-inline.ts";
import type { Block } from "../transcript/read-markdown.ts";
import { readMarkdown } from "../transcript/read-markdown.ts";

/** A link cannot be clicked: its address stands beside its text, for a person to copy. */
function Part({ span }: { readonly span: Span }) {
  if (span.kind === "text") return <>{inert(span.text)}</>;
  if (span.kind === "code") return <code>{inert(span.text)}</code>;
  if (span.kind === "link") {
    return (
      <span class="md-link">
        {inert(span.text)} <span class="faint">({inert(span.target)})</span>
      </span>
    );
  }
  const inside = <Parts spans={span.inside} />;
  return span.kind === "strong" ? <strong>{inside}</strong> : <em>{inside}</em>;
}

const Parts = ({ spans }: { readonly spans: readonly Span[] }) => (
  <>
    {spans.map((span, index) => (
      <Part key={index} span={span} />
    ))}
  </>
);

function Shown({ block }: { readonly block: Block }) {
  if (block.kind === "rule") return <hr />;
  if (block.kind === "code") {
    return (
      <pre class="output" tabIndex={0}>
        {inert(block.text)}
      </pre>
    );
  }
  const words = <Parts spans={readInline(block.text)} />;
  if (block.kind !== "item") return <p class={`md-${block.kind}`}>{words}</p>;
  return (
    <p class="md-item" style={{ marginInlineStart: `${block.depth * 16}px` }}>
      <span>{/^\d/.test(block.mark) ? block.mark : "•"}</span>
      <span>{words}</span>
    </p>
  );
}

/** A message of an agent with the layout of its Markdown. All of it is text: no markup, no link, no image. */
export function MarkdownText({ text }: { readonly text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text]);
  return (
    <div class="md">
      {blocks.map((block, index) => (
        <Shown key={index} block={block} />
      ))}
    </div>
  );
}
