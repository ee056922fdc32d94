import { useMemo, useState } from "preact/hooks";
import type { ReceivedReply, WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { readDiff } from "../../diff/read-diff.ts";
import type { LineComment } from "../../diff/comment-text.ts";
import { commentText } from "../../diff/comment-text.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { Notice, Shell } from "../../parts/notice.tsx";
import { countedText } from "../../text/amounts.ts";
import { inertLine } from "../../text/inert.ts";
import { CommandState } from "./command-state.tsx";
import { FileDiff } from "./file-diff.tsx";
import { useAsked } from "./use-asked.ts";

/** How often the changes are read again while the worker goes on, in seconds of the page's clock. */
const READ_AGAIN_S = 15;

interface CommentsProps {
  readonly worker: WorkerView;
  readonly comments: readonly LineComment[];
  readonly sent: (sequence: number | null) => void;
}

/** Sends all comments as one message, each quoting its line. An ended worker gets them as the reason of a rework. */
function SendComments({ worker, comments, sent }: CommentsProps) {
  const { store } = usePage();
  const text = commentText(comments);
  const send = async (): Promise<void> => {
    if (!worker.ended) return sent(await store.act.send(worker.peer_id, text));
    await store.act.rework(worker.peer_id, text);
    return sent(null);
  };
  return (
    <BusyButton tone="main" disabled={!store.canAct.value} done={`Sent ${comments.length} comments`} run={send}>
      {worker.ended ? "Send back with" : "Send"} {comments.length} {comments.length === 1 ? "comment" : "comments"}
    </BusyButton>
  );
}

function NoChanges({ why, code }: { readonly why: string; readonly code: string }) {
  if (code !== "NO_WORKTREE") return <Notice title="The changes cannot be read">{why}</Notice>;
  return (
    <Notice title="No changes to show">
      <p>{why}. A worker with a worktree of its own keeps its changes apart:</p>
      <p>
        <Shell>claw spawn --worktree "…"</Shell>
      </p>
    </Notice>
  );
}

type Answer = ReceivedReply<"worker.diff">;

function Summary({ answer, name }: { readonly answer: Answer; readonly name: string }) {
  const { branch, base, files, commits, uncommitted, cut } = answer;
  return (
    <p class="links faint">
      <span>
        {countedText(files.length, "file")} on {inertLine(branch, 80)} against {base.slice(0, 10)}
      </span>
      <span>{countedText(commits.length, "commit")}</span>
      {uncommitted.length > 0 && <span>{countedText(uncommitted.length, "file")} not committed</span>}
      {cut && <span class="why">cut: the rest with claw diff {inertLine(name, 60)}</span>}
    </p>
  );
}

/** The comments that wait to be sent. */
function Kept({ worker, comments, drop }: Omit<CommentsProps, "sent"> & { readonly drop: () => void }) {
  const [sequence, setSequence] = useState<number | null>(null);
  const sent = (at: number | null): void => {
    setSequence(at);
    drop();
  };
  return (
    <>
      {comments.length > 0 && (
        <div class="answer pinned">
          <SendComments worker={worker} comments={comments} sent={sent} />
          <button type="button" class="button" onClick={drop}>
            Drop them
          </button>
        </div>
      )}
      <CommandState sequence={sequence} />
    </>
  );
}

/** Changes of the worker against the base, with comments on lines. */
export function ChangesTab({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const { peer_id: peerId, ended } = worker;
  const tick = ended ? 0 : Math.floor(store.now.value / 1000 / READ_AGAIN_S);
  const asked = useAsked(`${peerId} ${tick} ${ended}`, (client) => client.request("worker.diff", { worker: peerId }));
  const [comments, setComments] = useState<readonly LineComment[]>([]);
  const patch = asked.kind === "answered" ? asked.answer.patch : "";
  const files = useMemo(() => readDiff(patch), [patch]);
  if (asked.kind === "asking") return <Notice title="Asking git…" />;
  if (asked.kind === "refused") return <NoChanges why={asked.why} code={asked.code} />;
  return (
    <div class="scroll pad changes" tabIndex={0}>
      <Summary answer={asked.answer} name={worker.name} />
      <Kept worker={worker} comments={comments} drop={() => setComments([])} />
      {files.length === 0 && <p>Nothing has changed{ended ? "." : " yet."}</p>}
      {files.map((file) => (
        <FileDiff
          key={file.path}
          file={file}
          comments={comments.filter(({ path }) => path === file.path)}
          put={(comment) => setComments([...comments, comment])}
          canComment={store.canAct.value}
        />
      ))}
    </div>
  );
}
