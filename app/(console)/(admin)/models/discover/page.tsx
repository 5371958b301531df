import { listConnections } from '@toolgate/server/domains/connections/reads'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Ctx } from '@toolgate/server/kernel/context'
import { AppError, RateLimitedError } from '@toolgate/server/kernel/errors'
import { discoverModels } from '@toolgate/server/probes/discover-models'
import type { ModelOffer } from '@toolgate/server/probes/new-model-of'
import { toOfferRow } from '@toolgate/server/probes/offer-row'
import { CircleX } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { z } from 'zod'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { Skeleton } from '@/components/ui/skeleton'
import { requireAdmin } from '@/lib/next/require-user'
import { AskAgain, ConnectionPicker, NoConnections } from './connection-picker'
import { Offers } from './offers'

export const metadata: Metadata = { title: 'Discover models · Models' }

const Query = z.object({ connection: z.uuid().optional() })

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function DiscoverPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { connection } = lenientQuery(Query, await searchParams)
  const connections = await listConnections(ctx, {})
  const chosen = connections.find(({ id }) => id === connection)
  return (
    <PageFrame kind="list">
      <PageHead title="Discover models">Pick from what the connection offers.</PageHead>
      {connections.length === 0 ? (
        <NoConnections />
      ) : (
        <ConnectionPicker
          connections={connections.map(({ id, name, wire }) => ({ id, name, wire }))}
          chosen={chosen?.id ?? null}
        />
      )}
      {chosen && (
        <Suspense key={chosen.id} fallback={<Asking name={chosen.name} />}>
          <Found ctx={ctx} connectionId={chosen.id} />
        </Suspense>
      )}
    </PageFrame>
  )
}

function Asking({ name }: { name: string }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className="text-muted">Loading from {name}…</p>
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-72 w-full" />
    </div>
  )
}

async function Found({ ctx, connectionId }: { ctx: Ctx; connectionId: string }) {
  const found = await ask(ctx, connectionId)
  if (found.ok) return <Offers connectionId={connectionId} rows={found.offers.map(toOfferRow)} />
  return (
    <EmptyState
      icon={CircleX}
      title={found.isTooSoon ? 'Not asked' : 'No list'}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <AskAgain />
          <Button asChild>
            <Link href={`/connections/${connectionId}`}>Open connection</Link>
          </Button>
          <Button asChild>
            <Link href="/models/new">Add by id</Link>
          </Button>
        </span>
      }
    >
      {found.message}
    </EmptyState>
  )
}

type Found = { ok: true; offers: ModelOffer[] } | { ok: false; message: string; isTooSoon: boolean }

async function ask(ctx: Ctx, connectionId: string): Promise<Found> {
  try {
    return { ok: true, offers: await discoverModels(ctx, { connectionId }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, message: error.message, isTooSoon: error instanceof RateLimitedError }
  }
}
