import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { StatePill } from '@/components/ui/state-pill'
import { dataClassInSentence, dataClassWords, zoneWords } from '@/lib/protocol/trust-words'
import { countOf } from '@/lib/words/format'
import type { ConfigurationRow, ConfigurationSortKey } from '../configuration-filter'
import { ConfigurationSwitch } from '../configuration-switch'
import { allowedWords, audienceWords } from '../configuration-words'
import { haltedWord } from '../halted'

type Props = { rows: ConfigurationRow[]; address: ListAddress<ConfigurationSortKey> }

export function ConfigurationList(props: Props) {
  return (
    <DataTable
      label="Configurations"
      columns={columns}
      rowKey={(row) => row.id}
      card={(row) => <Entry row={row} />}
      {...props}
    />
  )
}

const columns: Column<ConfigurationRow, ConfigurationSortKey>[] = [
  {
    key: 'name',
    head: 'Configuration',
    sort: 'text',
    className: 'min-w-44 [overflow-wrap:anywhere]',
    cell: (row) => (
      <>
        <RowLink href={`/configurations/${row.id}`}>
          <VisibleText text={row.name} />
        </RowLink>
        <p className="font-mono text-mono text-muted">{row.identifier}</p>
      </>
    ),
  },
  {
    key: 'model',
    head: 'Model',
    sort: 'text',
    className: '[overflow-wrap:anywhere]',
    cell: ({ chain: [first, ...fallbacks] }) => (
      <>
        {first?.modelName}
        <p className="text-muted">
          {first?.connectionName}
          {fallbacks.length > 0 && `, then ${countOf(fallbacks.length, 'fallback')}`}
        </p>
      </>
    ),
  },
  {
    key: 'zone',
    head: 'Lowest trust zone',
    sort: 'trust',
    className: 'whitespace-nowrap',
    cell: (row) => zoneWords[row.zone],
  },
  {
    key: 'limit',
    head: 'Highest data class',
    sort: 'sensitivity',
    cell: (row) => (
      <>
        {dataClassWords[row.limit]}
        {row.raisedDataClass && (
          <Badge tone="warning" className="ml-2">
            {' '}
            Raised
          </Badge>
        )}
      </>
    ),
  },
  { key: 'tools', head: 'Tools', cell: allowedWords },
  {
    key: 'audience',
    head: 'Access',
    className: 'min-w-32 [overflow-wrap:anywhere]',
    cell: audienceWords,
  },
  { key: 'state', head: 'State', sort: 'switch', cell: (row) => <State row={row} /> },
]

function Entry({ row }: { row: ConfigurationRow }) {
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <CardLink href={`/configurations/${row.id}`}>
          <VisibleText text={row.name} />
        </CardLink>
        <State row={row} />
      </div>
      <ul className="flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{row.chain[0]?.modelName}</li>
        <li>{zoneWords[row.zone]}</li>
        <li>
          at most {dataClassInSentence(row.limit)}
          {row.raisedDataClass && ', raised'}
        </li>
        <li>{audienceWords(row)}</li>
      </ul>
    </>
  )
}

/** Shows the switch of a configuration, and why nobody can start a run with it while it is on. */
function State({ row }: { row: ConfigurationRow }) {
  const { id, name, enabled } = row
  const halted = haltedWord(row)
  return (
    <span className="inline-flex flex-col items-start gap-1">
      <ConfigurationSwitch configuration={{ id, name, enabled }} />
      {halted !== null && <StatePill state="warning">{halted}</StatePill>}
    </span>
  )
}
