import type { FilterField } from '@/components/forms/address-filter'
import { ActButton } from '@/components/forms/confirm-dialog'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import { choiceFilter } from '@/components/list/filter-fields'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { storages } from '@/lib/domains/storages/shape'
import { assetName } from '@/lib/domains/storages/shared/asset'
import {
  type AssetFacts,
  type AssetSort,
  assetKindWords,
} from '@/lib/domains/storages/shared/asset-schemas'
import { pathOf } from '@/lib/protocol/nouns'
import { choicesOf } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { formatBytes } from '@/lib/words/format'
import { putBackAsset } from '../actions'
import { AssetThumb } from './asset-thumb'

const kinds = { label: 'Type', choices: choicesOf(assetKindWords) }
const described = {
  label: 'Alternative text',
  choices: choicesOf({ no: 'Without alternative text', yes: 'With alternative text' }),
}

const deleted = {
  label: 'State',
  choices: choicesOf({ yes: 'Deleted, can be restored' }),
}

export const assetFilters: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search assets' },
  choiceFilter('kind', kinds, 'Any type'),
  choiceFilter('described', described, 'Any'),
  choiceFilter('deleted', deleted, 'Not deleted'),
]

type Props = { rows: readonly AssetFacts[]; address: ListAddress<AssetSort> }

/** Shows one page of the assets of a storage. */
export function AssetList({ rows, address }: Props) {
  return (
    <DataTable
      label="Assets"
      rowKey={({ uid }) => uid}
      tableFrom="lg"
      card={(asset) => <Entry asset={asset} />}
      rows={rows}
      columns={columns}
      address={address}
    />
  )
}

const columns: Column<AssetFacts, AssetSort>[] = [
  {
    key: 'thumbnail',
    head: <span className="sr-only">Preview</span>,
    className: 'w-14',
    cell: (asset) => <AssetThumb asset={asset} />,
  },
  {
    key: 'title',
    head: 'Title',
    sort: 'text',
    className: 'min-w-40 max-w-80 [overflow-wrap:anywhere]',
    cell: (asset) => (
      <>
        {asset.deletedAt === null ? (
          <RowLink href={pageOf(asset)}>
            <VisibleText text={calledOf(asset)} />
          </RowLink>
        ) : (
          <Deleted asset={asset} />
        )}
        {asset.alternativeText === '' && (
          <p className="text-muted text-sm">without alternative text</p>
        )}
      </>
    ),
  },
  {
    key: 'path',
    head: 'Path',
    sort: 'text',
    className: 'max-w-80 font-mono text-mono [overflow-wrap:anywhere]',
    cell: ({ path }) => <VisibleText text={path} />,
  },
  { key: 'mediaType', head: 'Type', sort: 'text', cell: ({ mediaType }) => mediaType },
  {
    key: 'bytes',
    head: 'Size',
    sort: 'number',
    figures: true,
    cell: ({ bytes }) => formatBytes(bytes),
  },
  {
    key: 'pixels',
    head: 'Pixels',
    figures: true,
    cell: ({ width, height }) => width !== null && height !== null && `${width} × ${height}`,
  },
  {
    key: 'checksum',
    head: 'SHA-256',
    className: 'font-mono text-mono',
    cell: ({ checksum }) => <span title={checksum}>{checksum.slice(0, 8)}</span>,
  },
  {
    key: 'createdAt',
    head: 'Added',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

/** Shows one asset on a narrow screen. */
function Entry({ asset }: { asset: AssetFacts }) {
  const { mediaType, bytes, alternativeText } = asset
  return (
    <div className="flex items-start gap-3">
      <AssetThumb asset={asset} />
      <div className="min-w-0">
        {asset.deletedAt === null ? (
          <CardLink href={pageOf(asset)}>
            <VisibleText text={calledOf(asset)} />
          </CardLink>
        ) : (
          <Deleted asset={asset} />
        )}
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          {mediaType}, {formatBytes(bytes)}
          {alternativeText === '' && ', without alternative text'}
        </p>
      </div>
    </div>
  )
}

/** Shows a deleted asset, with the button that restores it. */
function Deleted({ asset }: { asset: AssetFacts }) {
  const { storageId, uid } = asset
  const name = visibleText(calledOf(asset))
  return (
    <span className="flex flex-wrap items-center gap-2">
      {name}
      <ActButton
        send={putBackAsset.bind(null, { storageId, uid })}
        done={`Restored ${name}`}
        failed={`${name} was not restored`}
      >
        Restore
      </ActButton>
    </span>
  )
}

function calledOf({ title, path }: AssetFacts): string {
  return title || assetName(path)
}

function pageOf({ storageId, uid }: AssetFacts): string {
  return `${pathOf(storages)}/${storageId}/assets/${uid}`
}
