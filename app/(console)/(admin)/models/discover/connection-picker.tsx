'use client'
import { useRouter } from 'next/navigation'
import { useQueryState } from 'nuqs'
import { useId, useTransition } from 'react'
import { Choice } from '@/components/forms/choice'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import { wireWords } from '@/lib/protocol/parameter-values'

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
      Reload the list
    </Button>
  )
}
