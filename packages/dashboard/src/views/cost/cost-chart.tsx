import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { moneyText, timeText } from "../../text/amounts.ts";
import type { CostSteps } from "./cost-sums.ts";
import type { DrawnChart } from "./draw-chart.ts";

interface CostChartProps {
  readonly steps: CostSteps;
  /** Budgets of the day or of the workspace, drawn as lines. */
  readonly limits: readonly { readonly name: string; readonly usd: number }[];
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
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          {steps.starts.map((start, at) =>
            (steps.spent[at] ?? 0) === 0 ? null : (
              <tr key={start}>
                <th scope="row">{timeText(start)}</th>
                <td>{moneyText(steps.spent[at] ?? 0)}</td>
                <td>{moneyText(steps.total[at] ?? 0)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </details>
  );
}

/** Spending over time. The chart is for the eye; the table behind it says the same. */
export function CostChart({ steps, limits }: CostChartProps) {
  const { settings } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<DrawnChart | null>(null);
  const theme = settings.theme.value;
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
  }, [steps, limits, theme]);
  return (
    <>
      <div class="chart" ref={box} aria-hidden="true" />
      <StepTable steps={steps} />
    </>
  );
}
