'use client'
import type { UsagePart } from '@toolgate/server/domains/usage/reads'
import type { UsageSplit } from '@toolgate/server/domains/usage/usage-filter'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'
import { boundOf, isUnpriced } from '@/lib/domains/usage/shared/cost-words'
import { countOf, formatCount, formatDuration, formatTokens } from '@/lib/words/format'
import type { PartSortKey } from './usage-sort'
import { splitWords } from './usage-words'

/** A part with the address of the runs that it counts; null = they cannot be told apart. */
export type PartRow = UsagePart & { runsHref: string | null }

type Props = {
  by: Exclude<UsageSplit, 'tool'>
  rows: readonly PartRow[]
  /** The cost of the most expensive part, also of another page. */
  most: number
  address: ListAddress<PartSortKey>
}

/**
 * Shows what each part used, with links to its runs. It is a client component because its rows are much smaller as figures
 * than as rendered cells, which a page has twice.
 */
export function UsageTable({ by, rows, most, address }: Props) {
  const name = (part: PartRow) => (
    <Name name={part.label} detail={part.detail} href={part.runsHref} />
  )
  const share = (part: PartRow) => <Share share={part.costMicroUsd / most} />
  return (
    <DataTable
      label={`Usage by ${splitWords[by].toLowerCase()}`}
      columns={[
        {
          key: 'name',
          head: splitWords[by],
          sort: by === 'day' ? 'time' : 'text',
          className: 'max-w-96',
          cell: (part) => (
            <>
              {name(part)}
              {share(part)}
            </>
          ),
        },
        ...figureColumns,
      ]}
      rows={rows}
      rowKey={({ key, label, detail }) => `${key} ${label} ${detail}`}
      address={address}
      tableFrom="lg"
      card={(part) => (
        <>
          <div className="flex items-start justify-between gap-3">
            {name(part)}
            <span className="numeric shrink-0 text-right">
              <PartCost part={part} />
            </span>
          </div>
          {share(part)}
          <p className="numeric text-muted text-sm">
            {formatTokens(part.inputTokens + part.outputTokens)}, {countOf(part.calls, 'request')},{' '}
            {countOf(part.errors, 'error')}
          </p>
        </>
      )}
    />
  )
}

const figureColumns: Column<PartRow, PartSortKey>[] = [
  {
    key: 'cost',
    head: 'Cost',
    sort: 'number',
    figures: true,
    cell: (part) => <PartCost part={part} />,
  },
  count('input', 'Tokens in', ({ inputTokens }) => inputTokens),
  count('output', 'Tokens out', ({ outputTokens }) => outputTokens),
  count('calls', 'Requests', ({ calls }) => calls),
  count('runs', 'Runs', ({ runs }) => runs),
  latency('p50', 'Median (p50)', ({ p50Ms }) => p50Ms),
  latency('p95', 'p95', ({ p95Ms }) => p95Ms),
  {
    key: 'errors',
    head: 'Errors',
    sort: 'number',
    figures: true,
    cell: ({ errors }) => (
      <span className={errors > 0 ? 'text-error' : undefined}>{formatCount(errors)}</span>
    ),
  },
  count('rescues', 'Recovered by fallback', ({ rescues }) => rescues),
]

function count(
  key: PartSortKey,
  head: string,
  figure: (part: UsagePart) => number,
): Column<PartRow, PartSortKey> {
  return { key, head, sort: 'number', figures: true, cell: (part) => formatCount(figure(part)) }
}

function latency(
  key: PartSortKey,
  head: string,
  figure: (part: UsagePart) => number | null,
): Column<PartRow, PartSortKey> {
  return { key, head, sort: 'number', figures: true, cell: (part) => durationText(figure(part)) }
}

function Name({
  name,
  href,
  detail,
}: {
  name: string
  href: string | null
  detail: string | null
}) {
  return (
    <span className="flex min-w-0 flex-col">
      {href ? (
        <HoverPrefetchLink
          href={href}
          className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        >
          {name}
        </HoverPrefetchLink>
      ) : (
        <span className="[overflow-wrap:anywhere]">{name}</span>
      )}
      {detail && <span className="text-muted text-sm [overflow-wrap:anywhere]">{detail}</span>}
    </span>
  )
}

function PartCost({ part }: { part: UsagePart }) {
  const { costMicroUsd, unpriced } = part
  if (isUnpriced(part)) return <Badge tone="warning">unpriced</Badge>
  return (
    <>
      <Cost microUsd={costMicroUsd} bound={boundOf(part)} />
      {unpriced > 0 && (
        <span className="block text-sm text-warning">{formatCount(unpriced)} unpriced</span>
      )}
    </>
  )
}

/** Shows a bar relative to the most expensive part. The amount is beside it as text. */
function Share({ share }: { share: number }) {
  return (
    <span className="mt-1 block h-1 rounded-sm bg-surface-2" aria-hidden>
      <span
        className="block h-1 rounded-sm bg-(--data-1)"
        style={{ width: `${Math.round(100 * share)}%` }}
      />
    </span>
  )
}

export function durationText(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms)
}
