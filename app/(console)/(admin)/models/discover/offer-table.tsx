'use client'
import type { OfferRow } from '@toolgate/server/probes/offer-row'
import Link from 'next/link'
import { priceText, toolPills } from '@/components/nouns/model-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Checkbox } from '@/components/ui/checkbox'
import { StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { modelShape, sourceWords, toolWords } from '@/lib/domains/models/shape'
import { formatCount } from '@/lib/words/format'

type Props = {
  rows: readonly OfferRow[]
  picked: ReadonlySet<string>
  onPick: (modelIds: readonly string[], on: boolean) => void
}

/** Lists the provider's models to pick from. Models that are already stored link to their page. */
export function OfferTable({ rows, picked, onPick }: Props) {
  const free = rows.filter(({ hereId }) => hereId === null).map(({ modelId }) => modelId)
  const some = free.filter((id) => picked.has(id)).length
  const all = some === 0 ? false : some === free.length || 'indeterminate'
  return (
    <>
      <div className="hidden md:block">
        <Table aria-label="Offered models">
          <thead>
            <tr>
              <TableHead className="w-8">
                <Checkbox
                  aria-label="Pick all shown"
                  checked={all}
                  disabled={free.length === 0}
                  onCheckedChange={(on) => onPick(free, on)}
                />
              </TableHead>
              <TableHead>Model</TableHead>
              <TableHead className="text-right">Context</TableHead>
              <TableHead className="text-right">Max output</TableHead>
              <TableHead>Tools</TableHead>
              <TableHead>Capabilities</TableHead>
              <TableHead className="text-right">In / out</TableHead>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow key={row.modelId}>
                <TableCell>
                  <Pick row={row} picked={picked} onPick={onPick} />
                </TableCell>
                <TableCell className="min-w-52">
                  <Name row={row} />
                </TableCell>
                <TableCell className="numeric text-right">{tokens(row.contextTokens)}</TableCell>
                <TableCell className="numeric text-right">{tokens(row.maxOutputTokens)}</TableCell>
                <TableCell>
                  <Tools row={row} />
                </TableCell>
                <TableCell>
                  {abilities(row) || <span className="text-muted">Unknown</span>}
                </TableCell>
                <TableCell className="numeric whitespace-nowrap text-right">
                  <Price row={row} />
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      </div>
      <ul className="flex flex-col gap-2 md:hidden">
        {rows.map((row) => (
          <li key={row.modelId} className="flex gap-3 rounded-md border bg-surface-1 p-3">
            <Pick row={row} picked={picked} onPick={onPick} />
            <div className="flex min-w-0 flex-col gap-1">
              <Name row={row} />
              <Tools row={row} />
              <span className="numeric text-muted text-sm">
                {row.contextTokens === null
                  ? 'Context unknown'
                  : `${formatCount(row.contextTokens)} tokens`}
                , <Price row={row} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function Pick({ row, picked, onPick }: Pick<Props, 'picked' | 'onPick'> & { row: OfferRow }) {
  if (row.hereId !== null) return null
  return (
    <Checkbox
      aria-label={`Pick ${row.modelId}`}
      checked={picked.has(row.modelId)}
      onCheckedChange={(on) => onPick([row.modelId], on)}
    />
  )
}

function Name({ row }: { row: OfferRow }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-strong [overflow-wrap:anywhere]">
          <VisibleText text={row.displayName} />
        </span>
        {row.hereId !== null && (
          <Link
            href={`/models/${row.hereId}`}
            className="text-link text-sm underline-offset-2 hover:underline"
          >
            Added
          </Link>
        )}
      </p>
      {row.displayName !== row.modelId && (
        <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
          <VisibleText text={row.modelId} />
        </p>
      )}
    </>
  )
}

function Tools({ row: { toolCalling, toolCallingSource, hereId } }: { row: OfferRow }) {
  const isCatalogued = hereId === null && toolCallingSource === 'assumed'
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <StatePill state={toolPills[toolCalling]}>{toolWords[toolCalling]}</StatePill>
      {toolCallingSource && (
        <span className="text-muted text-sm">
          {isCatalogued ? 'catalogue' : sourceWords[toolCallingSource]}
        </span>
      )}
    </span>
  )
}

function Price({ row: { prices } }: { row: OfferRow }) {
  if (!prices) return <Badge tone="warning">unpriced</Badge>
  return `${priceText(prices.input)} / ${priceText(prices.output)}`
}

function abilities(row: OfferRow): string {
  const names = ['structuredOutput', 'vision', 'reasoning'] as const
  return names
    .filter((name) => row[name] === true)
    .map((name) => modelShape[name].label)
    .join(', ')
}

const tokens = (count: number | null) => (count === null ? '–' : formatCount(count))
