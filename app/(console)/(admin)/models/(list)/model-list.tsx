import type { ModelListing, ModelSortKey, ModelUse } from '@toolgate/server/domains/models/schemas'
import Link from 'next/link'
import { ActButton } from '@/components/forms/confirm-dialog'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { priceText, toolPills } from '@/components/nouns/model-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { StatePill } from '@/components/ui/state-pill'
import { sourceWords, toolWords } from '@/lib/domains/models/shape'
import { stalePriceWords } from '@/lib/domains/models/shared/stale-price'
import { isPriced } from '@/lib/protocol/cost/cost'
import { countOf, formatCount } from '@/lib/words/format'
import { takeOver } from '../actions'
import { ModelSwitch } from '../model-switch'

type Props = { rows: ModelListing[]; address: ListAddress<ModelSortKey> }

export function ModelList(props: Props) {
  return (
    <DataTable
      label="Models"
      columns={columns}
      rowKey={(model) => model.id}
      card={(model) => <Entry model={model} />}
      tableFrom="lg"
      {...props}
    />
  )
}

const columns: Column<ModelListing, ModelSortKey>[] = [
  {
    key: 'name',
    head: 'Model',
    sort: 'text',
    className: 'min-w-44',
    cell: (model) => (
      <>
        <RowLink href={`/models/${model.id}`}>
          <VisibleText text={model.displayName} />
        </RowLink>
        <ModelId model={model} />
      </>
    ),
  },
  {
    key: 'connection',
    head: 'Connection',
    sort: 'text',
    className: '[overflow-wrap:anywhere]',
    cell: (model) => <VisibleText text={model.connectionName} />,
  },
  {
    key: 'context',
    head: 'Context',
    sort: 'number',
    figures: true,
    cell: ({ contextTokens }) => (contextTokens === null ? '–' : formatCount(contextTokens)),
  },
  {
    key: 'tools',
    head: 'Tools',
    sort: 'text',
    cell: (model) => (
      <>
        <Tools model={model} />
        {model.toolCallingSource && (
          <p className="text-muted">{sourceWords[model.toolCallingSource]}</p>
        )}
      </>
    ),
  },
  {
    key: 'input',
    head: 'Input $/M',
    sort: 'number',
    figures: true,
    cell: (model) => (
      <>
        <Price microUsd={model.prices.input} />
        <StalePrice model={model} />
      </>
    ),
  },
  {
    key: 'output',
    head: 'Output $/M',
    sort: 'number',
    figures: true,
    cell: ({ prices }) => <Price microUsd={prices.output} />,
  },
  {
    key: 'used',
    head: 'Used by',
    sort: 'number',
    cell: (model) => <UsedBy uses={model.usedBy} />,
  },
  { key: 'state', head: 'State', sort: 'switch', cell: (model) => <State model={model} /> },
]

/** Shows the model's id, unless the name is the same. */
function ModelId({ model: { modelId, displayName } }: { model: ModelListing }) {
  if (modelId === displayName) return null
  return (
    <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
      <VisibleText text={modelId} />
    </p>
  )
}

function Tools({ model: { toolCalling } }: { model: ModelListing }) {
  return <StatePill state={toolPills[toolCalling]}>{toolWords[toolCalling]}</StatePill>
}

function Price({ microUsd }: { microUsd: number | null }) {
  if (microUsd === null) return <Badge tone="warning">unpriced</Badge>
  return priceText(microUsd)
}

/** Shows the switch of a model, and whether its connection is off, so that nobody can use the model. */
function State({ model }: { model: ModelListing }) {
  return (
    <span className="inline-flex flex-col items-start gap-1">
      <ModelSwitch model={model} />
      {!model.connectionEnabled && <StatePill state="off">Connection off</StatePill>}
    </span>
  )
}

/** Shows a model, whether it can be used, and its price. */
function Entry({ model }: { model: ModelListing }) {
  const { prices } = model
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <CardLink href={`/models/${model.id}`}>
          <VisibleText text={model.displayName} />
        </CardLink>
        <State model={model} />
      </div>
      <ModelId model={model} />
      <div className="numeric flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        <Tools model={model} />
        {isPriced(prices) ? (
          <span>
            {priceText(prices.input)} in, {priceText(prices.output)} out
          </span>
        ) : (
          <Badge tone="warning">unpriced</Badge>
        )}
        <StalePrice model={model} />
        <span>
          <VisibleText text={model.connectionName} />
        </span>
        <span>{countOf(model.usedBy.length, 'configuration')}</span>
      </div>
    </>
  )
}

const namesShown = 2

function UsedBy({ uses }: { uses: readonly ModelUse[] }) {
  if (uses.length === 0) return <span className="text-muted">Nothing</span>
  return (
    <>
      {uses.slice(0, namesShown).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            href={`/configurations/${id}`}
            className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            <VisibleText text={name} />
          </Link>
        </span>
      ))}
      {uses.length > namesShown && ` and ${uses.length - namesShown} more`}
    </>
  )
}

/** Says that a price may be out of date, and offers the price of the catalogue where there is one. */
function StalePrice({ model }: { model: ModelListing }) {
  const { id, displayName, stalePrice } = model
  if (!stalePrice) return null
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Badge tone="warning">{stalePriceWords(stalePrice)}</Badge>
      {stalePrice.fromCatalogue && (
        <ActButton
          send={takeOver.bind(null, { id, part: 'prices' })}
          done={`Catalogue prices for ${displayName}`}
        >
          Use catalogue price<span className="sr-only"> for {displayName}</span>
        </ActButton>
      )}
    </span>
  )
}
