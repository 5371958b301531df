'use client'
import { useRouter } from 'next/navigation'
import { useId, useTransition } from 'react'
import { Choice } from '@/components/forms/choice'
import { Field } from '@/components/ui/field'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import { wireWords } from '@/lib/protocol/setting-words'

export function ConnectionPicker({
  connections,
  chosen,
}: {
  connections: Pick<ConnectionListing, 'id' | 'name' | 'wire'>[]
  chosen: string | null
}) {
  const id = useId()
  const router = useRouter()
  const [pending, startTransition] = useTransition()
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
          onValueChange={(value) =>
            startTransition(() => router.replace(`/models/discover?connection=${value}`))
          }
        />
      )}
    </Field>
  )
}
