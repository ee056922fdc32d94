import type { WorkerView } from "claw-contract";

const TRACK = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"] as const;

/** Phases that leave the straight way stand where the way goes on. */
const PLACE: Readonly<Record<string, number>> = { RECOVER: 3 };

/** The phases of a worker as one short track. */
export function PhaseTrack({ phase }: { readonly phase: WorkerView["phase"] }) {
  if (phase === null) return <span class="track track-none" role="img" aria-label="No phase yet" />;
  const at = PLACE[phase] ?? TRACK.findIndex((each) => each === phase);
  const isFailed = phase === "FAILED";
  const label = isFailed ? "Phase FAILED" : `Phase ${phase}, ${at + 1} of ${TRACK.length}`;
  return (
    <span class={`track ${isFailed ? "track-failed" : ""}`} role="img" aria-label={label} title={label}>
      {TRACK.map((each, index) => (
        <i key={each} class={isFailed || index < at ? "done" : index === at ? "here" : ""} />
      ))}
      <span class="track-name">{phase.toLowerCase()}</span>
    </span>
  );
}
