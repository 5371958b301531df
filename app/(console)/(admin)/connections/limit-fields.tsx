'use client'
import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { ConnectionDraft } from './connection-draft'
import type { FieldsProps } from './connection-fields'

type Text = 'organisation' | 'connectTimeout' | 'firstByteTimeout' | 'idleTimeout' | 'maxTries'

const limits: { field: Text; error: string; label: string; usual: string; hint: string }[] = [
  {
    field: 'connectTimeout',
    error: 'connectTimeoutMs',
    label: 'Connect timeout (seconds)',
    usual: '10',
    hint: 'Up to 120.',
  },
  {
    field: 'firstByteTimeout',
    error: 'firstByteTimeoutMs',
    label: 'First-byte timeout (seconds)',
    usual: '60',
    hint: 'Up to 600.',
  },
  {
    field: 'idleTimeout',
    error: 'idleTimeoutMs',
    label: 'Idle timeout (seconds)',
    usual: '60',
    hint: 'Longest pause within an answer. Up to 600.',
  },
]

const errorsHere = ['organisation', 'maxTries', ...limits.map(({ error }) => error)]

/** Settings that few people change: billing, timeouts and retries. */
export function LimitFields({ draft, errors, onChange }: FieldsProps) {
  const set = (field: Text, text: string) => onChange({ [field]: text } as Partial<ConnectionDraft>)
  const [open, setOpen] = useState(draft.organisation !== '')
  const [shown, setShown] = useState(errors)
  // An error opens the section of its field. Only the reader closes it again.
  if (errors !== shown) {
    setShown(errors)
    if (Object.keys(errors).some((name) => errorsHere.includes(name))) setOpen(true)
  }
  return (
    <details
      className="rounded-md border bg-surface-1 px-3 py-2"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer font-medium text-strong">Organisation and limits</summary>
      <div className="grid gap-4 py-3 sm:grid-cols-2">
        <Field
          id="organisation"
          label="Organisation"
          optional
          hint="Organisation to bill, if the provider supports it."
          error={errors.organisation}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={draft.organisation}
              onChange={(event) => set('organisation', event.target.value)}
            />
          )}
        </Field>
        <Field
          id="max-tries"
          label="Maximum tries"
          hint="1-5. After the last try, the next model of the fallback chain is asked."
          error={errors.maxTries}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.maxTries}
              onChange={(event) => set('maxTries', event.target.value)}
            />
          )}
        </Field>
        {limits.map(({ field, error, label, usual, hint }) => (
          <Field key={field} id={field} label={label} optional hint={hint} error={errors[error]}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                placeholder={usual}
                value={draft[field]}
                onChange={(event) => set(field, event.target.value)}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  )
}
