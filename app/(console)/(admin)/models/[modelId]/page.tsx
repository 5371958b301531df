import { catalogueSays } from '@toolgate/server/domains/models/catalogue/catalogue-says'
import type { ModelUse } from '@toolgate/server/domains/models/schemas'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { stalePriceWords } from '@/lib/domains/models/shared/stale-price'
import { isPriced } from '@/lib/protocol/cost/cost'
import { pageTitle } from '@/lib/words/page-title'
import { findModelDetails } from '../find-model-details'
import { ModelSwitch } from '../model-switch'
import { Capabilities } from './capabilities'
import { CatalogueNotice } from './catalogue-notice'
import { ModelActions } from './model-actions'
import { PricesSection } from './prices-section'

type Props = {
  params: Promise<{ modelId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const { displayName } = await findModelDetails((await params).modelId)
  return pageTitle(displayName, 'Models')
}

/** `?add=price` opens the form of a new price, to which a refused run leads. */
export default async function ModelPage({ params, searchParams }: Props) {
  const model = await findModelDetails((await params).modelId)
  const word = catalogueSays(model)
  const { id, displayName, usedBy } = model
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <PageHead
        title={<VisibleText text={displayName} />}
        state={<ModelSwitch model={model} />}
        action={<ModelActions modelId={id} name={displayName} users={usedBy.length} />}
      >
        <span className="flex flex-wrap items-center gap-2">
          {model.modelId !== displayName && (
            <Badge className="max-w-full overflow-hidden text-ellipsis font-mono">
              <VisibleText text={model.modelId} />
            </Badge>
          )}
          at
          <Link
            href={`/connections/${model.connectionId}`}
            className="text-link underline-offset-2 hover:underline"
          >
            <VisibleText text={model.connectionName} />
          </Link>
          {!model.connectionEnabled && <Badge>Connection off</Badge>}
          {!isPriced(model.prices) && <Badge tone="warning">unpriced</Badge>}
          {model.stalePrice && <Badge tone="warning">{stalePriceWords(model.stalePrice)}</Badge>}
        </span>
      </PageHead>
      {word && <CatalogueNotice modelId={id} word={word} />}
      <Capabilities model={model} />
      <PricesSection
        model={{ ...model, history: await withPersonNames(model.history, ['createdBy']) }}
        adds={(await searchParams).add === 'price'}
      />
      <Section
        title="Used by"
        action={
          <Button asChild>
            <Link href={`/configurations/new?model=${id}`}>
              <Plus className="size-4" aria-hidden />
              Add configuration with it
            </Link>
          </Button>
        }
      >
        <Uses uses={usedBy} />
      </Section>
    </PageFrame>
  )
}

function Uses({ uses }: { uses: readonly ModelUse[] }) {
  if (uses.length === 0) {
    return <p className="text-muted">No configuration.</p>
  }
  return (
    <ul className="flex flex-col gap-1">
      {uses.map(({ id, name, position }) => (
        <li key={id}>
          <Link
            href={`/configurations/${id}`}
            className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            <VisibleText text={name} />
          </Link>
          <span className="text-muted">
            {position === null ? ' (main model)' : ` (fallback ${position + 1})`}
          </span>
        </li>
      ))}
    </ul>
  )
}
