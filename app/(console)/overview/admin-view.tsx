import type { AdminOverview } from '@toolgate/server/doors/overview/read-admin-overview'
import { ConnectFirst } from './connect-first'
import { ExtremeRuns } from './extreme-runs'
import { NewestDenials, RefusedByGate } from './refused-calls'
import { RunsByDay } from './runs-by-day'
import { SpendTile } from './spend-tile'
import { adminLines } from './waiting-lines'
import { WaitingList } from './waiting-list'

/** Shows an admin what waits and how the site does. Before the first model, connecting one is all there is to do. */
export function AdminView({ overview }: { overview: AdminOverview }) {
  const { waiting, month, at, days, gates, denials, dearest, slowest } = overview
  const { hasConfiguration, hasRun, hasDemo } = waiting
  const connect = hasConfiguration ? null : <ConnectFirst hasDemo={hasDemo} withSteps={!hasRun} />
  if (connect && !hasRun) return connect
  return (
    <>
      {connect}
      <WaitingList lines={adminLines(waiting)} />
      <div className="grid gap-3 lg:grid-cols-2">
        <SpendTile month={month} now={at} />
        <RefusedByGate gates={gates} />
      </div>
      <RunsByDay days={days} />
      <div className="grid gap-3 lg:grid-cols-2">
        <ExtremeRuns dearest={dearest} slowest={slowest} />
      </div>
      <NewestDenials denials={denials} />
    </>
  )
}
