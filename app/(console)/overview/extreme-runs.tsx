import type { RunLine } from '@toolgate/server/runs/lists/run-lines'
import { RunLines } from './run-lines'
import { Tile } from './tile'

/** Shows the runs of the last 7 days that cost most, and those that took longest, in the order of the list. */
export function ExtremeRuns({
  dearest,
  slowest,
}: {
  dearest: readonly RunLine[]
  slowest: readonly RunLine[]
}) {
  return (
    <>
      <Tile title="Most expensive runs, 7 days" href="/runs?period=7d&sort=-cost">
        <Lines label="Most expensive runs" runs={dearest} figure="cost" />
      </Tile>
      <Tile title="Slowest runs, 7 days" href="/runs?period=7d&sort=-duration">
        <Lines label="Slowest runs" runs={slowest} figure="duration" />
      </Tile>
    </>
  )
}

function Lines(props: { label: string; runs: readonly RunLine[]; figure: 'cost' | 'duration' }) {
  if (props.runs.length === 0)
    return (
      <p className="text-muted">
        {props.figure === 'cost' ? 'None cost anything.' : 'No runs yet.'}
      </p>
    )
  return <RunLines {...props} />
}
