import { dayTimeText, spanText } from "../text/amounts.ts";
import { usePage } from "../app/page.ts";

/** How long ago something was, by the clock of the moment that is shown. */
export function Age({ since, suffix = "" }: { readonly since: string | null; readonly suffix?: string }) {
  const { store } = usePage();
  const at = since === null ? Number.NaN : Date.parse(since);
  if (Number.isNaN(at)) return null;
  const until = store.past.value === null ? store.now.value : Date.parse(store.moment.value?.ts ?? "");
  return (
    <time class="age" dateTime={since ?? undefined} title={dayTimeText(at)}>
      {spanText(until - at)}
      {suffix}
    </time>
  );
}
