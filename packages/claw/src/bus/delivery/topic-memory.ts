const REMEMBERED_TOPICS = 1000;

/** Remembers the answer for each topic, of a limited number of topics: events that follow each other share a few. */
export function rememberTopics(fits: (topic: string) => boolean): (topic: string) => boolean {
  const byTopic = new Map<string, boolean>();
  return (topic) => {
    const known = byTopic.get(topic);
    if (known !== undefined) return known;
    if (byTopic.size >= REMEMBERED_TOPICS) byTopic.clear();
    const found = fits(topic);
    byTopic.set(topic, found);
    return found;
  };
}
