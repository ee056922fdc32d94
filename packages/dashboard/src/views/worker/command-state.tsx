import { usePage } from "../../app/page.ts";
import { Ladder } from "../../parts/ladder.tsx";

/** How far the command at a place in the log has come; nothing before one was sent. */
export function CommandState({ sequence }: { readonly sequence: number | null }) {
  const { store } = usePage();
  if (sequence === null) return null;
  return <Ladder ladder={[...store.ladders.value.values()].find((each) => each.sequence === sequence)} />;
}
