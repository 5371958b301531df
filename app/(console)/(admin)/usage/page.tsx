import { listUsageNames } from '@toolgate/server/domains/usage/reads'
import { UsageFilter, UsageMeasure, UsageSplit } from '@toolgate/server/domains/usage/usage-filter'
import { usageWindow } from '@toolgate/server/domains/usage/usage-window'
import { readUser } from '@toolgate/server/domains/users/reads'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { NotFoundError } from '@toolgate/server/kernel/errors'
import { ChartColumn } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { z } from 'zod'
import { AddressFilter } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { ExportLinks } from '@/components/list/links'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { Section } from '@/components/ui/section'
import { requireAdmin } from '@/lib/next/require-user'
import { countOf } from '@/lib/words/format'
import { ChoiceLinks } from './choice-links'
import { FullestBudgets } from './fullest-budgets'
import { readComparison, readSplit } from './read-usage-page'
import { usageFields, usualPeriod } from './usage-fields'
import { UsageParts } from './usage-parts'
import { UsageTiles } from './usage-tiles'
import { measureWords, splitWords } from './usage-words'

export const metadata: Metadata = { title: 'Usage' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const Query = UsageFilter.extend({
  sort: z.string().max(40).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
})

export default async function UsagePage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { sort, page, ...filter } = lenientQuery(Query, await searchParams)
  const window = usageWindow(filter.period, new Date())
  const [{ now, before }, split, names, chosen] = await Promise.all([
    readComparison(ctx, window, filter),
    readSplit(ctx, window, filter),
    listUsageNames(ctx),
    readPersonName(ctx, filter.user),
  ])
  const values = valuesOf(filter)
  const { by, measure } = filter
  const href = (part: Record<string, string>) =>
    addressOf('/usage', { ...values, by, measure, ...part })
  return (
    <PageFrame kind="list">
      <PageHead title="Usage" action={<ExportLinks route="/api/usage/export" values={values} />}>
        Model requests by UTC day.
      </PageHead>
      <AddressFilter fields={usageFields(names, chosen)} count={countOf(now.calls, 'request')} />
      {now.calls + before.calls === 0 && by !== 'tool' ? (
        <Nothing narrowed={Object.values(values).some((value) => value !== undefined)} />
      ) : (
        <>
          <UsageTiles now={now} before={before} unpricedHref="/models?price=unpriced" />
          <FullestBudgets ctx={ctx} />
          <Section
            title={`${measureWords[measure]} over time`}
            action={
              <ChoiceLinks
                label="What is drawn"
                current={measure}
                choices={UsageMeasure.options.map((value) => ({
                  value,
                  label: measureWords[value],
                  href: href({ measure: value }),
                }))}
              />
            }
          >
            <ChoiceLinks
              label="Split by"
              current={by}
              choices={UsageSplit.options.map((value) => ({
                value,
                label: splitWords[value],
                href: href({ by: value }),
              }))}
            />
            <UsageParts
              split={split}
              filter={filter}
              window={window}
              sort={sort}
              page={page}
              values={values}
            />
          </Section>
        </>
      )}
    </PageFrame>
  )
}

/** Returns the filter as address values. The default period is left out. */
function valuesOf({ period, user, configuration, model, connection, apiKey }: UsageFilter) {
  const said = period === usualPeriod ? undefined : period
  return { period: said, configuration, model, connection, apiKey, user }
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  return (
    <EmptyState
      icon={ChartColumn}
      title={narrowed ? 'No requests match this filter' : 'No model requests yet'}
      action={
        <Button asChild variant={narrowed ? 'secondary' : 'primary'}>
          <Link href={narrowed ? '/usage' : '/playground'}>
            {narrowed ? 'Show all usage' : 'Run a prompt'}
          </Link>
        </Button>
      }
    >
      {narrowed ? 'Pick a longer period.' : 'Tokens, cost and latency of model requests.'}
    </EmptyState>
  )
}

/** Returns the name of the account named in the URL; null when none is named or it no longer exists. */
async function readPersonName(ctx: Ctx, userId: string | undefined): Promise<string | null> {
  if (userId === undefined) return null
  try {
    return (await readUser(ctx, userId)).name
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
