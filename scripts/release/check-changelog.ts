interface Section {
  readonly heading: string;
  readonly body: string;
}

const RELEASED = /^(\d+\.\d+\.\d+(?:-[\w.]+)?) \((\d{4}-\d{2}-\d{2})\)$/;

function sectionsOf(text: string): Section[] {
  const parts = text.replaceAll("\r\n", "\n").split(/^## /m).slice(1);
  return parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    return { heading: heading.trim(), body: lines.join("\n").trim() };
  });
}

/** Whether the calendar has this day: `2026-02-30` is none. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Throws unless the changelog is ready for the release of this version. Returns the heading of the version's section. */
export function checkChangelog(text: string, version: string): string {
  const sections = sectionsOf(text);
  const wanted = `## ${version} (YYYY-MM-DD)`;
  const own = sections.filter(({ heading }) => heading.split(" ")[0] === version);
  const [section] = own;
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}; write "${wanted}"`);
  if (own.length > 1) throw new Error(`CHANGELOG.md has ${own.length} sections for ${version}; keep one`);
  const [, , day = ""] = RELEASED.exec(section.heading) ?? [];
  if (!isDay(day)) throw new Error(`CHANGELOG.md says "## ${section.heading}"; write "${wanted}" with the day`);
  if (section.body === "") throw new Error(`CHANGELOG.md says nothing about ${version}`);
  const newest = sections.find(({ heading }) => RELEASED.test(heading));
  if (newest !== section) throw new Error(`CHANGELOG.md lists "${newest?.heading}" before ${version}; newest first`);
  const left = sections.find(({ heading, body }) => /^\[?unreleased\b/i.test(heading) && body !== "");
  if (left !== undefined) throw new Error(`CHANGELOG.md has changes under "${left.heading}"; move them to ${version}`);
  return section.heading;
}
