'use client'
import { useState } from 'react'
import { useFormState } from 'react-hook-form'
import { FormFields } from '@/components/forms/form-field'
import type { FieldShape } from '@/lib/protocol/field-shape'

const seconds = (label: string, placeholder: string, hint: string): FieldShape => ({
  kind: 'number',
  inputMode: 'decimal',
  label: `${label} (seconds)`,
  placeholder,
  hint,
  optional: true,
})

const limits: Record<string, FieldShape> = {
  organisation: {
    kind: 'text',
    label: 'Organisation',
    optional: true,
    hint: 'Organisation to bill, if the provider supports it.',
  },
  maxTries: {
    kind: 'number',
    label: 'Maximum tries',
    hint: '1-5. After the last try, the next model of the fallback chain is asked.',
  },
  connectTimeout: seconds('Connect timeout', '10', 'Up to 120.'),
  firstByteTimeout: seconds('First-byte timeout', '60', 'Up to 600.'),
  idleTimeout: seconds('Idle timeout', '60', 'Longest pause within an answer. Up to 600.'),
}

/** Settings that few people change: billing, timeouts and retries. */
export function LimitFields({ organisation }: { organisation: string }) {
  const { errors } = useFormState()
  const [open, setOpen] = useState(organisation !== '')
  const [shown, setShown] = useState(errors)
  // An error opens the section of its field. Only the reader closes it again.
  if (errors !== shown) {
    setShown(errors)
    if (Object.keys(errors).some((name) => name in limits)) setOpen(true)
  }
  return (
    <details
      className="rounded-md border bg-surface-1 px-3 py-2"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer font-medium text-strong">Organisation and limits</summary>
      <div className="grid gap-4 py-3 sm:grid-cols-2">
        <FormFields fields={limits} />
      </div>
    </details>
  )
}
