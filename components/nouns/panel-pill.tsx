import type { PanelRow } from '@toolgate/server/runs/panels/panel-schemas'
import { StatePill } from '@/components/ui/state-pill'

/** Shows whether members go on, or how many of them answered. */
export function PanelPill({
  row: { status, members },
}: {
  row: Pick<PanelRow, 'status' | 'members'>
}) {
  if (status === 'running') return <StatePill state="running">Running</StatePill>
  const answered = members.filter(({ endReason }) => endReason === 'completed').length
  if (answered === members.length) return <StatePill state="ok">Completed</StatePill>
  return (
    <StatePill state={answered === 0 ? 'error' : 'warning'}>
      {answered} of {members.length} completed
    </StatePill>
  )
}
