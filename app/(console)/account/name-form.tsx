'use client'
import { useRouter } from 'next/navigation'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { rename } from './actions'

export function NameForm({ name }: { name: string }) {
  const router = useRouter()
  const toast = useToast()
  const { form, busy, error, fields } = useSubmit({
    send: (text) => rename({ name: text('name') }),
    onDone: () => {
      toast({ tone: 'ok', title: 'Saved your name' })
      router.refresh()
    },
  })
  return (
    <form {...form} className="flex max-w-120 items-start gap-2">
      <Field id="own-name" label="Name" error={fields.name ?? error?.message} className="flex-1">
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
