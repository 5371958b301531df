import type { RunDay } from '@toolgate/server/runs/lists/run-days'
import Link from 'next/link'
import { UsageChart } from '@/components/chart/usage-chart'
import { countOf } from '@/lib/words/format'
import { Tile } from './tile'

/** Shows the runs of the last 30 days, those with any failure in red. */
export function RunsByDay({ days }: { days: readonly RunDay[] }) {
  const runs = days.reduce((sum, day) => sum + day.runs, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  const series = [
    { id: 'rest', label: 'Without a failure', values: days.map((day) => day.runs - day.failed) },
    {
      id: 'failed',
      label: 'Any failure',
      values: days.map((day) => day.failed),
      colour: 'var(--color-error)',
    },
  ]
  return (
    <Tile title="Runs, 30 days" href="/runs?period=30d">
      <p className="numeric text-muted">
        {countOf(runs, 'run')},{' '}
        <Link
          href="/runs?period=30d&failure=any"
          className="text-link underline underline-offset-2"
        >
          {failed === 0 ? 'no failures' : `${countOf(failed, 'run')} with any failure`}
        </Link>
      </p>
      {days.filter((day) => day.runs > 0).length > 1 && (
        <UsageChart
          measure="runs"
          step="day"
          // The labels of steps are in UTC: a date stands for its midnight there.
          steps={days.map(({ date }) => `${date}T00:00:00.000Z`)}
          series={series}
          label={`Runs by day: ${countOf(runs, 'run')}, ${countOf(failed, 'run')} with any failure.`}
        />
      )}
    </Tile>
  )
}
