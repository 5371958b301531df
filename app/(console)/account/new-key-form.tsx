'use client'
import { type FormEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { ActionError, ActionResult } from '@/lib/action'
import type { ApiScope, CreateApiKey } from '@/lib/api-keys/schemas'

const scopeWords = {
  'runs:write': 'Start and stop runs',
  'runs:read': 'List and read runs',
  'approvals:read': 'List what waits for a decision',
  'approvals:write': 'Approve and deny calls',
  'tools:read': 'List and explain tools, see the freeze',
  'tools:write': 'Switch tools and groups, freeze the site',
} as const satisfies Record<ApiScope, string>
const scopes = Object.keys(scopeWords) as ApiScope[]
/** Refused to everybody else, whatever their key says. */
const adminScopes: readonly ApiScope[] = ['tools:write']
const endings = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'No end' },
]

export function NewKeyForm({
  admin,
  send,
  onMade,
  onClose,
}: {
  admin: boolean
  send: (key: CreateApiKey) => Promise<ActionResult<{ token: string }>>
  onMade: (token: string) => void
  onClose: () => void
}) {
  const formId = useId()
  const body = useRef<HTMLFormElement>(null)
  const [picked, setPicked] = useState<ApiScope[]>(['runs:write', 'runs:read'])
  const [ending, setEnding] = useState('90')
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const offered = scopes.filter((scope) => admin || !adminScopes.includes(scope))

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    const expiresInDays = ending === 'never' ? null : Number(ending)
    setBusy(true)
    const result = await sendAction(() => send({ name, scopes: picked, expiresInDays }))
    setBusy(false)
    if (result.ok) return onMade(result.value.token)
    flushSync(() => setError(result.error))
    body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New API key"
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            Create key
          </Button>
        </>
      }
    >
      {error && !error.fields && <ErrorNotice title="No key was made">{error.message}</ErrorNotice>}
      <form ref={body} id={formId} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field id={`${formId}-name`} label="What it is for" error={error?.fields?.name}>
          {(control) => <Input {...control} name="name" autoComplete="off" />}
        </Field>
        <fieldset aria-describedby={error?.fields?.scopes && `${formId}-scopes-error`}>
          <legend className="mb-1 font-medium text-strong">It may</legend>
          {offered.map((scope) => (
            <label
              key={scope}
              htmlFor={`${formId}-${scope}`}
              className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10"
            >
              <Checkbox
                id={`${formId}-${scope}`}
                aria-invalid={error?.fields?.scopes ? true : undefined}
                checked={picked.includes(scope)}
                onCheckedChange={(on) =>
                  setPicked(on ? [...picked, scope] : picked.filter((each) => each !== scope))
                }
              />
              {scopeWords[scope]} <code className="font-mono text-mono text-muted">{scope}</code>
            </label>
          ))}
          {error?.fields?.scopes && (
            <p id={`${formId}-scopes-error`} className="text-error text-sm">
              {error.fields.scopes}
            </p>
          )}
        </fieldset>
        <Field id={`${formId}-ending`} label="Good for">
          {(control) => (
            <Select {...control} options={endings} value={ending} onValueChange={setEnding} />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
