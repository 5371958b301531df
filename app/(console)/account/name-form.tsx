'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { rename } from './actions'

export function NameForm({ name }: { name: string }) {
  const router = useRouter()
  const toast = useToast()
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('name') ?? '')
    setBusy(true)
    const result = await sendAction(() => rename({ name: text }))
    setBusy(false)
    setError(result.ok ? undefined : (result.error.fields?.name ?? result.error.message))
    if (!result.ok) return
    toast({ tone: 'ok', title: 'Your name is saved' })
    router.refresh()
  }
  return (
    <form onSubmit={submit} noValidate className="flex max-w-120 items-start gap-2">
      <Field id="own-name" label="Name" error={error} className="flex-1">
        {(control) => (
          <Input {...control} key={name} name="name" autoComplete="name" defaultValue={name} />
        )}
      </Field>
      <Button type="submit" loading={busy} className="mt-6">
        Save
      </Button>
    </form>
  )
}
