import type { ApprovalView } from "claw-contract";
import { DiffText } from "../../parts/diff-text.tsx";
import { inert } from "../../text/inert.ts";
import type { SubjectPart } from "./subject-parts.ts";
import { subjectParts } from "./subject-parts.ts";

const FIELD_CHARS = 20_000;

/** Draws a box around each word of a command, so that a blank inside a word shows. */
function Command({ argv, text }: { readonly argv: readonly string[] | null; readonly text: string }) {
  if (argv === null) {
    return (
      <pre class="command" role="group" aria-label="Command" tabIndex={0}>
        {inert(text)}
      </pre>
    );
  }
  return (
    <pre class="command" role="group" aria-label="Command, word by word" tabIndex={0}>
      {argv.map((word, index) => (
        <span key={index} class="word">
          {word === "" ? "''" : inert(word)}
        </span>
      ))}
    </pre>
  );
}

function Part({ part }: { readonly part: SubjectPart }) {
  if (part.kind === "command") return <Command argv={part.argv} text={part.text} />;
  if (part.kind === "diff") return <DiffText text={part.text} />;
  if (part.name === "input") {
    return (
      <details class="input">
        <summary class="faint">the whole input</summary>
        <pre tabIndex={0}>{inert(part.text.slice(0, FIELD_CHARS))}</pre>
      </details>
    );
  }
  return (
    <div class="field">
      <span class="field-name">{inert(part.name)}</span>
      <pre tabIndex={0}>{inert(part.text.slice(0, FIELD_CHARS))}</pre>
    </div>
  );
}

/** Exactly what is asked for. */
export function Subject({ approval }: { readonly approval: ApprovalView }) {
  const { hash, cut, masked, subject } = approval;
  return (
    <div class="subject">
      {subjectParts(approval).map((part, index) => (
        <Part key={index} part={part} />
      ))}
      <p class="faint">
        <span title={hash}>sha256 {hash.slice(0, 12)}</span>
        {(cut === true || subject["left_out"] === true) && " · part of it is too long to be shown"}
        {masked === true && " · secrets are masked"}
      </p>
    </div>
  );
}
