import { useRef, useState } from "preact/hooks";
import type { LineComment } from "../../diff/comment-text.ts";
import type { DiffFile, DiffLine } from "../../diff/read-diff.ts";
import { inert } from "../../text/inert.ts";

/** Lines of a file that are drawn before a person asks for all. */
const FIRST_LINES = 400;

interface CommentFormProps {
  readonly put: (text: string) => void;
  readonly drop: () => void;
}

function CommentForm({ put, drop }: CommentFormProps) {
  const [text, setText] = useState("");
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      event.preventDefault();
      drop();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && text.trim() !== "") put(text);
  };
  return (
    <div class="comment-form">
      <textarea
        rows={2}
        aria-label="Comment on this line"
        placeholder="what about this line? (Ctrl+Enter keeps it)"
        value={text}
        ref={(field) => field?.focus()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <button type="button" class="button" disabled={text.trim() === ""} onClick={() => put(text)}>
        Keep
      </button>
      <button type="button" class="button" onClick={drop}>
        Cancel
      </button>
    </div>
  );
}

interface LineProps {
  readonly line: DiffLine;
  readonly canComment: boolean;
  readonly comments: readonly LineComment[];
  readonly put: (text: string) => void;
}

const SIGNS = { add: "+", del: "−", same: " ", note: "\\" } as const;

/** A line of a diff. The line number is a button that opens a comment. */
function Line({ line, canComment, comments, put }: LineProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  const number = line.after ?? line.before;
  const keep = (text: string): void => {
    put(text);
    close();
  };
  return (
    <>
      <div class={`line line-${line.kind}`}>
        {number === null || !canComment ? (
          <span class="line-number">{number ?? ""}</span>
        ) : (
          <button
            ref={opener}
            type="button"
            class="line-number"
            aria-expanded={isOpen}
            aria-label={`Comment on line ${number}`}
            onClick={() => setOpen(!isOpen)}
          >
            {number}
          </button>
        )}
        <span class="line-sign" aria-hidden="true">
          {SIGNS[line.kind]}
        </span>
        <code>{inert(line.text)}</code>
      </div>
      {comments.map(({ text }, index) => (
        <p key={index} class="comment">
          {text}
        </p>
      ))}
      {isOpen && <CommentForm put={keep} drop={close} />}
    </>
  );
}

interface FileDiffProps {
  readonly file: DiffFile;
  readonly comments: readonly LineComment[];
  readonly put: (comment: LineComment) => void;
  readonly canComment: boolean;
}

const countOf = ({ hunks }: DiffFile, kind: DiffLine["kind"]): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);

/** The changes of one file, folded or open. */
export function FileDiff({ file, comments, put, canComment }: FileDiffProps) {
  const [most, setMost] = useState(FIRST_LINES);
  const all = file.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  let left = most;
  return (
    <details class="file" open>
      <summary>
        <b>{inert(file.path)}</b>
        {file.from !== null && <span class="faint"> from {inert(file.from)}</span>}
        <span class="faint"> {file.change === "changed" ? "" : file.change}</span>
        <span class="file-counts">
          <span class="good">+{countOf(file, "add")}</span> <span class="bad">−{countOf(file, "del")}</span>
        </span>
      </summary>
      {file.hunks.map(({ around, lines }, index) => {
        const drawn = lines.slice(0, Math.max(0, left));
        left -= lines.length;
        return (
          <div key={index} class="hunk">
            <p class="hunk-head">@@ {inert(around)}</p>
            {drawn.map((line, at) => (
              <Line
                key={at}
                line={line}
                canComment={canComment}
                comments={comments.filter((comment) => comment.line === line)}
                put={(text) => put({ path: file.path, line, text })}
              />
            ))}
          </div>
        );
      })}
      {all > most && (
        <button type="button" class="link" onClick={() => setMost(Infinity)}>
          {all - most} more lines
        </button>
      )}
    </details>
  );
}
