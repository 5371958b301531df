import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import type { GovernedConfiguration } from '@/lib/configurations/governed-configuration'
import type { TrustZone } from '@/lib/protocol/run-event'
import type { DataClass } from '@/lib/protocol/tool'
import { audienceWords, toolGroupWords, zoneWords } from '../configuration-words'

type Row = GovernedConfiguration & { zone: TrustZone; limit: DataClass }

/** A table, and on narrow screens a list of cards. */
export function ConfigurationList({ rows }: { rows: Row[] }) {
  return (
    <>
      <div className="hidden md:block">
        <Table aria-label="Configurations">
          <thead>
            <tr>
              <TableHead>Configuration</TableHead>
              <TableHead>Model</TableHead>
              <TableHead>Least trusted</TableHead>
              <TableHead>May be sent at most</TableHead>
              <TableHead>Tools</TableHead>
              <TableHead>Who may use it</TableHead>
              <TableHead>State</TableHead>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line key={row.id} row={row} />
            ))}
          </tbody>
        </Table>
      </div>
      <ul className="flex flex-col gap-2 md:hidden">
        {rows.map((row) => (
          <li key={row.id}>
            <Entry row={row} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Line({ row }: { row: Row }) {
  return (
    <TableRow className="transition-colors hover:bg-surface-2">
      <TableCell className="min-w-44 [overflow-wrap:anywhere]">
        <Link
          href={`/configurations/${row.id}`}
          className="text-link underline-offset-2 hover:underline"
        >
          <VisibleText text={row.name} />
        </Link>
        <p className="font-mono text-mono text-muted">{row.identifier}</p>
      </TableCell>
      <TableCell className="[overflow-wrap:anywhere]">
        {row.chain[0]?.modelName}
        <p className="text-muted">{row.chain[0]?.connectionName}</p>
      </TableCell>
      <TableCell className="whitespace-nowrap">{zoneWords[row.zone]}</TableCell>
      <TableCell>
        {row.limit}
        {row.raisedDataClass && (
          <Badge tone="warning" className="ml-2">
            Raised
          </Badge>
        )}
      </TableCell>
      <TableCell>{toolGroupWords(row)}</TableCell>
      <TableCell>{audienceWords(row)}</TableCell>
      <TableCell>
        <OnOff on={row.enabled} />
      </TableCell>
    </TableRow>
  )
}

function Entry({ row }: { row: Row }) {
  return (
    <article className="relative flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
      <div className="flex items-center justify-between gap-2">
        <Link
          href={`/configurations/${row.id}`}
          className="min-w-0 text-strong [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          <VisibleText text={row.name} />
        </Link>
        <OnOff on={row.enabled} />
      </div>
      <ul className="flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{row.chain[0]?.modelName}</li>
        <li>{zoneWords[row.zone]}</li>
        <li>
          at most {row.limit}
          {row.raisedDataClass && ', raised'}
        </li>
        <li>{audienceWords(row)}</li>
      </ul>
    </article>
  )
}

function OnOff({ on }: { on: boolean }) {
  return <StatePill state={on ? 'ok' : 'off'}>{on ? 'On' : 'Off'}</StatePill>
}
