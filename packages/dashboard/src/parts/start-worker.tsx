import { usePage } from "../app/page.ts";
import { Shell } from "./notice.tsx";

/** How a person gets a first worker; in the past, that there was none. */
export function StartWorker() {
  const { store } = usePage();
  if (store.past.value !== null) return <p>At this moment there was no worker yet.</p>;
  return (
    <>
      <p>Start a worker in a terminal in this folder:</p>
      <p>
        <Shell>{'claw spawn --worktree "fix the failing test"'}</Shell>
      </p>
      <p>Without an agent or a key, one that only plays:</p>
      <p>
        <Shell>claw spawn --harness fake --scenario tools "try it"</Shell>
      </p>
    </>
  );
}
