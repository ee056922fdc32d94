import { inert } from "../text/inert.ts";

const MOST_LINES = 2000;

const classOf = (line: string): string =>
  line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "";

/** A unified diff as it stands, for questions. */
export function DiffText({ text }: { readonly text: string }) {
  const lines = text.split("\n");
  return (
    <pre class="diff-text" aria-label="Change">
      {lines.slice(0, MOST_LINES).map((line, index) => (
        <span key={index} class={classOf(line)}>
          {inert(line)}
          {"\n"}
        </span>
      ))}
      {lines.length > MOST_LINES && <span class="hunk">… {lines.length - MOST_LINES} more lines</span>}
    </pre>
  );
}
