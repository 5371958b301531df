import type {
  ConnectionListing,
  ConnectionSortKey,
} from '@toolgate/server/domains/connections/schemas'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { wireWords } from '@/lib/protocol/parameters/parameter-values'
import { zoneWord } from '@/lib/protocol/trust-words'
import { countOf, formatCount } from '@/lib/words/format'
import { ConnectionSwitch } from '../connection-switch'
import { TestButton } from '../connection-test'
import {
  addressOfConnection,
  healthPill,
  keyWord,
  outcomeWord,
  zoneMismatch,
} from '../connection-words'

type Props = { rows: ConnectionListing[]; address: ListAddress<ConnectionSortKey> }

export function ConnectionList(props: Props) {
  return (
    <DataTable
      label="Connections"
      columns={columns}
      rowKey={(connection) => connection.id}
      card={(connection) => <Entry connection={connection} />}
      tableFrom="lg"
      {...props}
    />
  )
}

const columns: Column<ConnectionListing, ConnectionSortKey>[] = [
  {
    key: 'name',
    head: 'Connection',
    sort: 'text',
    cell: (connection) => (
      <>
        <RowLink href={`/connections/${connection.id}`}>
          <VisibleText text={connection.name} />
        </RowLink>
        <p className="text-muted [overflow-wrap:anywhere]">{addressOfConnection(connection)}</p>
      </>
    ),
  },
  {
    key: 'wire',
    head: 'API type',
    sort: 'text',
    cell: ({ wire }) => wireWords[wire],
  },
  {
    key: 'trust',
    head: 'Trust zone',
    sort: 'trust',
    cell: (connection) => <Zone connection={connection} />,
  },
  {
    key: 'key',
    head: 'Key',
    className: 'whitespace-nowrap',
    cell: (connection) => <span className="font-mono text-mono">{keyWord(connection)}</span>,
  },
  {
    key: 'models',
    head: 'Models',
    sort: 'number',
    figures: true,
    cell: ({ models }) => formatCount(models),
  },
  {
    key: 'state',
    head: 'State',
    cell: (connection) => <ConnectionSwitch connection={connection} />,
  },
  { key: 'health', head: 'Health', cell: (connection) => <Health connection={connection} /> },
  {
    key: 'act',
    head: <span className="sr-only">Test</span>,
    acts: true,
    className: 'text-right',
    cell: ({ id, name }) => <TestButton id={id} name={name} size="sm" />,
  },
]

function Zone({ connection }: { connection: ConnectionListing }) {
  return (
    <span className="flex flex-col items-start gap-1">
      {zoneWord(connection)}
      {connection.zone.type === 'mismatch' && (
        <Badge tone="warning" className="h-auto whitespace-normal py-px">
          {zoneMismatch}
        </Badge>
      )}
    </span>
  )
}

/** Shows one state, with the time of what it says: of the last failure, else of the last test. */
function Health({ connection }: { connection: ConnectionListing }) {
  const { state, word, at } = healthPill(connection)
  const { lastTest } = connection
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatePill state={state}>{word}</StatePill>
      {at !== null && <RelativeTime at={at} className="whitespace-nowrap text-muted" />}
      {at === null && lastTest && (
        <span className="whitespace-nowrap text-muted">
          {lastTest.outcome === 'ok' ? 'tested' : `test: ${outcomeWord(lastTest).toLowerCase()}`}{' '}
          <RelativeTime at={lastTest.at} />
        </span>
      )}
    </span>
  )
}

/** Shows name, state and address of a connection on a narrow screen. */
function Entry({ connection }: { connection: ConnectionListing }) {
  const { id, name, wire, models } = connection
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <CardLink href={`/connections/${id}`}>
          <VisibleText text={name} />
        </CardLink>
        <ConnectionSwitch connection={connection} />
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        {addressOfConnection(connection)}
      </p>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{wireWords[wire]}</li>
        <li>
          <Zone connection={connection} />
        </li>
        <li>Key: {keyWord(connection).toLowerCase()}</li>
        <li>{countOf(models, 'model')}</li>
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <Health connection={connection} />
        <div className="relative z-10">
          <TestButton id={id} name={name} size="sm" />
        </div>
      </div>
    </>
  )
}
