import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { moneyText, timeText } from "../../text/amounts.ts";
import type { CostSteps } from "./cost-sums.ts";
import { LEAST_USD } from "./cost-sums.ts";
import type { DrawnChart } from "./draw-chart.ts";

interface CostChartProps {
  readonly steps: CostSteps;
  /** Budgets of the day or of the workspace, drawn as lines. */
  readonly limits: readonly { readonly name: string; readonly usd: number }[];
}

/** What the colours of the chart mean. Estimated costs are named where there are any. */
function Key({ steps, hasLimits }: { readonly steps: CostSteps; readonly hasLimits: boolean }) {
  return (
    <p class="legend chart-key faint" aria-hidden="true">
      <span>
        <i class="key-spent" /> spent
      </span>
      {steps.estimated.some((usd) => usd > LEAST_USD) && (
        <span>
          <i class="key-estimated" /> of it estimated
        </span>
      )}
      <span>
        <i class="key-sum" /> in all
      </span>
      {hasLimits && (
        <span>
          <i class="key-limit" /> budget
        </span>
      )}
    </p>
  );
}

/** The numbers behind the chart. */
function StepTable({ steps }: { readonly steps: CostSteps }) {
  return (
    <details>
      <summary class="faint">The same as a table</summary>
      <table class="sums">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Spent</th>
            <th scope="col">Of it estimated</th>
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          {steps.starts.map((start, at) =>
            (steps.spent[at] ?? 0) < LEAST_USD ? null : (
              <tr key={start}>
                <th scope="row">{timeText(start)}</th>
                <td>{moneyText(steps.spent[at] ?? 0)}</td>
                <td>{(steps.estimated[at] ?? 0) < LEAST_USD ? "–" : moneyText(steps.estimated[at] ?? 0)}</td>
                <td>{moneyText(steps.total[at] ?? 0)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </details>
  );
}

/** Whether the system is dark, also when that changes while the chart is open. */
function useSystemDark(): boolean {
  const [query] = useState(() => matchMedia("(prefers-color-scheme: dark)"));
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const look = (): void => setDark(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, [query]);
  return isDark;
}

/** Spending over time. The chart is for the eye; the table behind it says the same. */
export function CostChart({ steps, limits }: CostChartProps) {
  const { settings } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<DrawnChart | null>(null);
  const theme = settings.theme.value;
  const isSystemDark = useSystemDark();
  useEffect(() => {
    const state = { isGone: false };
    const draw = async (): Promise<void> => {
      const { drawChart } = await import("./draw-chart.ts");
      if (state.isGone || box.current === null) return;
      chart.current?.close();
      chart.current = drawChart(box.current, steps, limits);
    };
    void draw();
    return () => {
      state.isGone = true;
      chart.current?.close();
      chart.current = null;
    };
  }, [steps, limits, theme, isSystemDark]);
  return (
    <>
      <div class="chart" ref={box} aria-hidden="true" />
      <Key steps={steps} hasLimits={limits.length > 0} />
      <StepTable steps={steps} />
    </>
  );
}
