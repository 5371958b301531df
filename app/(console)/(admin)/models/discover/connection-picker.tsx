'use client'
import type { ConnectionListing } from '@toolgate/server/domains/connections/schemas'
import { Cable } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useQueryState } from 'nuqs'
import { useId, useTransition } from 'react'
import { Choice } from '@/components/forms/choice'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { wireWords } from '@/lib/protocol/parameters/parameter-values'

export function ConnectionPicker({
  connections,
  chosen,
}: {
  connections: Pick<ConnectionListing, 'id' | 'name' | 'wire'>[]
  chosen: string | null
}) {
  const id = useId()
  const [pending, startTransition] = useTransition()
  const [, pick] = useQueryState('connection', { shallow: false, startTransition })
  return (
    <Field id={id} label="Connection" className="max-w-96">
      {(control) => (
        <Choice
          {...control}
          searchLabel="Search connections"
          options={connections.map((each) => ({
            value: each.id,
            label: each.name,
            hint: wireWords[each.wire],
          }))}
          value={chosen ?? ''}
          placeholder="Pick a connection"
          disabled={pending}
          onValueChange={(value) => void pick(value)}
        />
      )}
    </Field>
  )
}

/** Asks the provider again after a failure. */
export function AskAgain() {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  return (
    <Button
      variant="primary"
      loading={pending}
      onClick={() => startTransition(() => router.refresh())}
    >
      Reload
    </Button>
  )
}

/** Says that a model needs a connection, where there is none yet. */
export function NoConnections() {
  return (
    <EmptyState
      icon={Cable}
      title="No connections yet"
      action={
        <Button asChild variant="primary">
          <Link href="/connections/new">Add connection</Link>
        </Button>
      }
    >
      A model belongs to a connection.
    </EmptyState>
  )
}
