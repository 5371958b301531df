import type { RunReplay } from '@toolgate/server/runs/replay/read-replay'
import { CallLink } from '@/components/trace/call-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'

type Difference = RunReplay['differences'][number]

/** Lists what would have gone otherwise, in the order of the run. */
export function DifferenceTable({
  runId,
  differences,
}: {
  runId: string
  differences: readonly Difference[]
}) {
  return (
    <Table aria-label="Differences">
      <thead>
        <tr>
          <TableHead>Where</TableHead>
          <TableHead>Then</TableHead>
          <TableHead>Today</TableHead>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ place, was, would, follows }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and a round may differ twice.
          <TableRow key={index}>
            <TableCell className="min-w-32">
              <Place runId={runId} place={place} />
            </TableCell>
            <TableCell className="min-w-48">
              <VisibleText text={was} />
            </TableCell>
            <TableCell className="min-w-64">
              <VisibleText text={would} />
              {follows && <p className="text-muted">Follows from an earlier difference</p>}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

function Place({ runId, place }: { runId: string; place: Difference['place'] }) {
  switch (place.type) {
    case 'round':
      return `Round ${place.round}`
    case 'call':
      return (
        <>
          Round {place.round}:{' '}
          <CallLink runId={runId} call={{ callId: place.callId, toolName: place.tool }} />
        </>
      )
    case 'end':
      return 'End'
    default:
      return place satisfies never
  }
}

/** Lists the tools that the run would begin with otherwise. */
export function OfferTable({ offers }: { offers: RunReplay['offers'] }) {
  return (
    <Table aria-label="Tools at the start">
      <thead>
        <tr>
          <TableHead>Tool</TableHead>
          <TableHead>Then</TableHead>
          <TableHead>Today</TableHead>
        </tr>
      </thead>
      <tbody>
        {offers.map(({ tool, was, would }) => (
          <TableRow key={tool}>
            <TableCell className="font-mono text-mono">
              <VisibleText text={tool} />
            </TableCell>
            <TableCell className="min-w-48">
              <VisibleText text={was} />
            </TableCell>
            <TableCell className="min-w-64">
              <VisibleText text={would} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}
