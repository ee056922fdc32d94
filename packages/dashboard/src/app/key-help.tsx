import { Dialog } from "../parts/dialog.tsx";

const GROUPS: readonly (readonly [title: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    "Everywhere",
    [
      ["1 … 5", "Workers, Needs you, Events, Timeline, Cost"],
      ["j  k", "next and previous row"],
      ["Enter", "open the row"],
      ["/", "to the filter"],
      ["l", "forward to live"],
      ["Esc", "out of a field"],
      ["?", "these keys"],
    ],
  ],
  [
    "Needs you",
    [
      ["y", "approve, or accept the report"],
      ["n", "reject, or send the report back"],
    ],
  ],
  [
    "Worker",
    [
      ["t c h e", "transcript, changes, checks, events"],
      ["m", "write to the worker"],
      ["Esc", "back to the workers"],
    ],
  ],
  ["Events", [["f", "follow the newest event"]]],
  [
    "Timeline",
    [
      ["+  -", "zoom"],
      ["[  ]", "earlier and later"],
    ],
  ],
  ["Terminal", [["Shift+Tab", "leave the terminal"]]],
];

export function KeyHelp({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Keys" close={close}>
      <div class="key-groups">
        {GROUPS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
