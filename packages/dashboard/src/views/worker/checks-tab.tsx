import type { ReceivedReply, WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { Notice, Shell } from "../../parts/notice.tsx";
import { countedText, spanText } from "../../text/amounts.ts";
import { inert } from "../../text/inert.ts";
import { useAsked } from "./use-asked.ts";

type Report = NonNullable<ReceivedReply<"worker.report">["report"]>;
type Check = NonNullable<Report["verified"]>["checks"][number];

function CheckLine({ check }: { readonly check: Check }) {
  const { command, passed, exit_code: code, duration_ms: ms, output_tail: tail } = check;
  const word = passed ? "passed" : `failed${code === null ? "" : ` ${code}`}`;
  return (
    <section class="check">
      <h3>
        <span class={`pill tone-${passed ? "good" : "bad"}`}>{word}</span> <code>{inert(command)}</code>{" "}
        <span class="faint">{spanText(ms)}</span>
      </h3>
      {tail !== "" && (
        <pre class="output" tabIndex={0}>
          {inert(tail)}
        </pre>
      )}
    </section>
  );
}

/** Result, doubts, checks with their output, and the files that were handed over. */
function ReportText({ report }: { readonly report: Report }) {
  const { summary, result, toolCalls, judged, completed, verified, place, artifacts } = report;
  return (
    <div class="scroll pad" tabIndex={0}>
      <h2 class="ask">{inert(summary)}</h2>
      <p class="faint">
        says {result}
        {toolCalls === null ? "" : ` · ${countedText(toolCalls, "tool call")}`}
        {judged === null ? "" : ` · ${judged.kind} by ${inert(judged.by)}`}
      </p>
      {(completed?.doubts ?? []).map((doubt) => (
        <p key={doubt} class="why">
          Doubt: {inert(doubt)}
        </p>
      ))}
      {verified === null && place.checks.length > 0 && <p class="faint">The checks are running.</p>}
      {(verified?.checks ?? []).map((check) => (
        <CheckLine key={check.command} check={check} />
      ))}
      {artifacts.length > 0 && <p class="faint">Handed over: {artifacts.map(({ path }) => inert(path)).join(", ")}</p>}
    </div>
  );
}

/** The last report at the moment of the past that the page shows. */
function PastChecks({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const report = store.moment.value?.reports.find(({ peerId }) => peerId === worker.peer_id);
  if (report === undefined) return <Notice title="No report yet at this moment" />;
  const { summary, result, doubts, checks, judged } = report;
  return (
    <div class="scroll pad" tabIndex={0}>
      <h2 class="ask">{inert(summary)}</h2>
      <p class="faint">
        says {result}
        {judged === null ? "" : ` · ${judged.kind} by ${inert(judged.by)}`}
      </p>
      {doubts.map((doubt) => (
        <p key={doubt} class="why">
          Doubt: {inert(doubt)}
        </p>
      ))}
      {(checks ?? []).map((check) => (
        <CheckLine key={check.command} check={check} />
      ))}
    </div>
  );
}

/** The last report of the worker. */
export function ChecksTab({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  return store.past.value === null ? <LastReport worker={worker} /> : <PastChecks worker={worker} />;
}

function LastReport({ worker }: { readonly worker: WorkerView }) {
  const { peer_id: peerId, completion, as_of: asOf, checks } = worker;
  const asked = useAsked(`${peerId} ${completion} ${asOf}`, (client) =>
    client.request("worker.report", { worker: peerId }),
  );
  if (asked.kind === "asking") return <Notice title="Asking the daemon…" />;
  if (asked.kind === "refused") return <Notice title="The report cannot be read">{asked.why}</Notice>;
  if (asked.answer.report !== null) return <ReportText report={asked.answer.report} />;
  return (
    <Notice title="No report yet">
      {checks > 0 && <p>When the worker reports, the daemon runs its {countedText(checks, "check")}.</p>}
      {checks === 0 && <p>The worker has no checks. Give the next one some:</p>}
      {checks === 0 && <Shell>{'claw spawn --check "npm test" "…"'}</Shell>}
    </Notice>
  );
}
