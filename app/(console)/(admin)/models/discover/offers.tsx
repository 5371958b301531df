'use client'
import type { OfferRow } from '@toolgate/server/probes/offer-row'
import { SearchX } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorNotice } from '@/components/ui/error-notice'
import { SearchInput } from '@/components/ui/search-input'
import { useToast } from '@/components/ui/toast'
import type { ActionError } from '@/lib/next/action'
import { countOf } from '@/lib/words/format'
import { matchesSearch } from '@/lib/words/matches-search'
import { addOffered } from '../actions'
import { OfferTable } from './offer-table'

const step = 100
const mostAtOnce = 200

/**
 * Shows the models on offer. Search and picks are kept in the browser, because a change of the address would ask the
 * provider again.
 */
export function Offers({ connectionId, rows }: { connectionId: string; rows: OfferRow[] }) {
  const router = useRouter()
  const toast = useToast()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(step)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ActionError | null>(null)
  const found = rows.filter(({ modelId, displayName }) =>
    matchesSearch(search, [modelId, displayName]),
  )
  const turn = (modelIds: readonly string[], on: boolean) => {
    const next = new Set(picked)
    for (const id of modelIds) {
      if (on) next.add(id)
      else next.delete(id)
    }
    setPicked(next)
  }
  const add = async () => {
    setBusy(true)
    const result = await sendAction(() => addOffered({ connectionId, modelIds: [...picked] }))
    setBusy(false)
    if (!result.ok) return setError(result.error)
    const { ids, missing } = result.value
    setError(null)
    setPicked(new Set())
    toast({
      tone: 'ok',
      title: `Added ${countOf(ids.length, 'model')}`,
      action: {
        label: 'Use one',
        onClick: () => router.push(`/connect?connection=${connectionId}`),
      },
      ...(missing.length > 0 && {
        description: `${countOf(missing.length, 'model')} no longer offered.`,
      }),
    })
    router.refresh()
  }
  if (rows.length === 0) {
    return (
      <EmptyState icon={SearchX} title="No chat models">
        Enable one at the provider, or add one by its id.
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <search className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search models"
          className="w-full sm:w-64"
          value={search}
          onChange={setSearch}
        />
        <p role="status" className="numeric ml-auto text-muted text-sm">
          {found.length === rows.length
            ? countOf(rows.length, 'model')
            : `${found.length} of ${countOf(rows.length, 'model')}`}
        </p>
      </search>
      {error && <ErrorNotice title="Not added">{error.message}</ErrorNotice>}
      {found.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No matches"
          action={<Button onClick={() => setSearch('')}>Clear search</Button>}
        />
      ) : (
        <OfferTable rows={found.slice(0, shown)} picked={picked} onPick={turn} />
      )}
      {found.length > shown && (
        <Button className="self-start" onClick={() => setShown(shown + step)}>
          Show {Math.min(step, found.length - shown)} more
        </Button>
      )}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface-0 py-3">
        <Button
          variant="primary"
          loading={busy}
          disabled={picked.size === 0 || picked.size > mostAtOnce}
          onClick={add}
        >
          {picked.size === 0 ? 'Add models' : `Add ${countOf(picked.size, 'model')}`}
        </Button>
        {picked.size > mostAtOnce && (
          <p className="text-warning">At most {mostAtOnce} at a time.</p>
        )}
      </div>
    </div>
  )
}
